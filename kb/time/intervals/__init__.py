"""All that a story says of time held together: days between events, what their names allow, and what cannot all be so."""
