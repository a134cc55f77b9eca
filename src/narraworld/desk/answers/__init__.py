"""What each screen, endpoint and tool answers, as plain values: one function makes the page, its JSON twin and the agent's answer."""
