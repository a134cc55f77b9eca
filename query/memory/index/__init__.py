"""What can be found: records and passages as documents, who may see them, stretches around them, words and vectors."""
