"""What does not fit: findings gathered, sifted by the author's word, and reported."""
