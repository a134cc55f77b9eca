"""The model reader: prompts, the answer schema, linking, grounding, guards, stages. Never meets the embedded reader."""
