"""The page in the browser: screens over the desk, their JSON twins, SPARQL, a live stream. Nothing is fetched from anywhere; no manuscript is written."""
