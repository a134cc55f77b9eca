"""`python -m narraworld` is the command."""

from narraworld.commands.app import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
