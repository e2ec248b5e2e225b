from parcelkit.cli import main

raise SystemExit(main())
