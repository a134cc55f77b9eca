"""Who knows and believes what, against gold."""
