"""Why something holds and why not: matching, proof trees, and the words for them."""
