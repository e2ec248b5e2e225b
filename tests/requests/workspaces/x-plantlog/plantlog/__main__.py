from plantlog.cli import main

raise SystemExit(main())
