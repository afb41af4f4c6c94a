"""The command ``linkwork``."""


def main():
    """Run the command line; what typer needs is imported only here."""
    from linkwork.cli.app import run

    run()
