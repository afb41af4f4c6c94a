"""``python -m linkwork`` is ``linkwork``."""

from linkwork.cli import main

main()
