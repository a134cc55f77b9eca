"""Memory for the next passage: preview, plan, retrieval, ranking and assembly within a budget."""
