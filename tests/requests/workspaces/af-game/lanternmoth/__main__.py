from lanternmoth import __version__
from lanternmoth.levels import load_levels


def main():
    print(f"Lantern Moth {__version__}")
    for level in load_levels():
        print(f"  {level['id']:>2}  {level['name']}")


if __name__ == "__main__":
    main()
