"""Commands for whoever studies stories rather than writes one."""
