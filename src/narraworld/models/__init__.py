"""Behind the port `Asks`: the OpenAI client, recordings, spending, prices, faults."""
