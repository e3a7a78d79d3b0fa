#!/usr/bin/env python3
"""Makes the sample files that the shipped skills are tested with.

    tools/make_samples.py [pdf] [image] [repository]        without a name: all of them

What it makes is committed, so nobody has to run it; it is here so that the samples can be understood and changed.

pdf         skills/com.example.file.text-extract/assets/sample.pdf and unmapped.pdf (whose characters only poppler's own
            tables know), written by hand: same bytes on every machine
image       skills/com.example.file.text-extract/assets/sample.png (Debian: python3-pil, fonts-wqy-microhei)
repository  skills/com.example.git.diff-summary/assets/sample.git: same commits on every machine (Debian: git)
"""
import pathlib
import shutil
import subprocess
import sys

SKILLS = pathlib.Path(__file__).resolve().parent.parent / "skills"

# ---- the PDF -------------------------------------------------------------------------------------------------------

PAGES = [
    ["Quarterly report", "Revenue grew by 12 percent.", "季度报告", "收入增长百分之十二。"],
    ["Page two: costs", "Costs fell by 3 percent.", "第二页：支出下降百分之三。"],
    ["The end", "全文完"],
]

# Character ids of Adobe-GB1, by which a viewer finds the glyphs in a Chinese font of its own.  Text extraction does not
# need that collection: the /ToUnicode map below says which character each id is.
CIDS = {
    "季": 2097, "度": 1543, "报": 1041, "告": 1761, "收": 3436, "入": 3270, "增": 4409, "长": 1225, "百": 996,
    "分": 1651, "之": 4525, "十": 3397, "二": 1597, "。": 98, "第": 1467, "页": 4154, "：": 287, "支": 4518,
    "出": 1307, "下": 3887, "降": 2182, "三": 3288, "全": 3206, "文": 3795, "完": 3739,
}


def stream(dictionary, content):
    return b"<< " + dictionary + b"/Length %d >>\nstream\n" % len(content) + content + b"\nendstream"


def to_unicode():
    pairs = sorted((cid, character) for character, cid in CIDS.items())
    lines = "\n".join("<%04x> <%s>" % (cid, character.encode("utf-16-be").hex()) for cid, character in pairs)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
        "%d beginbfchar\n%s\nendbfchar\nendcmap\nend\nend" % (len(pairs), lines)
    ).encode("ascii")


def page_content(lines, code_of):
    content = []
    for number, line in enumerate(lines):
        if line.isascii():
            font, shown = "F1", "(%s)" % line
        else:
            font, shown = "F2", "<%s>" % "".join("%04x" % code_of(character) for character in line)
        content.append("BT /%s 18 Tf 72 %d Td %s Tj ET" % (font, 760 - 40 * number, shown))
    return "\n".join(content).encode("ascii")


def document(pages, encoding, code_of):
    first_page = 8
    kids = " ".join("%d 0 R" % (first_page + 2 * i) for i in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids.encode("ascii")),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /DescendantFonts [5 0 R] " + encoding + b" >>",
        b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 6 0 R /DW 1000 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
        b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] "
        b"/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
        stream(b"", to_unicode()),
    ]
    for index, lines in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (first_page + 2 * index + 1)
        )
        objects.append(stream(b"", page_content(lines, code_of)))
    return assemble_pdf(objects)


def make_pdf():
    folder = "com.example.file.text-extract/assets/"
    write(folder + "sample.pdf", document(PAGES, b"/Encoding /Identity-H /ToUnicode 7 0 R", CIDS.get))
    write(folder + "unmapped.pdf", document(PAGES[2:], b"/Encoding /UniGB-UCS2-H", ord))


def assemble_pdf(objects):
    """A PDF file of these objects; the first is the catalog."""
    out = bytearray(b"%PDF-1.4\n%\xe4\xb8\xad\xe6\x96\x87\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


# ---- the image -----------------------------------------------------------------------------------------------------

# Lines that tesseract 5.3 and 5.5 read alike.
IMAGE_LINES = ["Delivery note", "Total amount 1280", "货物已经收到", "请核对数量和价格"]
IMAGE_FONT = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"


def make_image():
    from PIL import Image, ImageDraw, ImageFont  # only this sample needs it

    image = Image.new("L", (900, 480), 255)
    font = ImageFont.truetype(IMAGE_FONT, 56)
    for number, line in enumerate(IMAGE_LINES):
        ImageDraw.Draw(image).text((60, 40 + 100 * number), line, font=font, fill=0)
    path = SKILLS / "com.example.file.text-extract/assets/sample.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(16).save(path, optimize=True)


# ---- the repository ------------------------------------------------------------------------------------------------

# A stream of `git fast-import`; names in quotes hold bytes that are no UTF-8.
WHEN = "The writ project <writ@example.com> 1767225600 +0000"


def file_command(path, content):
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(content), content)


def commit_commands(mark, message, parent, changes):
    head = "commit refs/heads/main\nmark :%d\nauthor %s\ncommitter %s\ndata %d\n%s\n" % (
        mark, WHEN, WHEN, len(message.encode()), message)
    return head.encode() + (b"from :%d\n" % parent if parent else b"") + b"".join(changes) + b"\n"


def make_repository():
    lines = b"".join(b"line %d\n" % number for number in range(1, 21))
    picture = bytes(range(256))
    history = b"".join([
        commit_commands(1, "Begin", None, [
            file_command(b"README.md", b"# Sample\n\nThe beginning.\n"),
            file_command(b"docs/guide.txt", lines),
            file_command(b"old.txt", b"goes away\n"),
            file_command(b"picture.bin", picture),
        ]),
        commit_commands(2, "Write the manual in Chinese too", 1, [
            file_command("docs/说明.md".encode(), "# 说明\n\n第一行\n第二行\n".encode()),
            b"R docs/guide.txt docs/manual.txt\n",
            file_command(b"README.md", b"# Sample\n\nThe beginning.\nThe middle.\n"),
        ]),
        commit_commands(3, "Remove what is old", 2, [
            b"D old.txt\n",
            file_command(b"picture.bin", picture[::-1]),
            file_command(b'"caf\\351.txt"', b"a name that is no UTF-8\n"),
            file_command(b"README.md", b"# Sample\n\nThe middle.\nThe end.\n"),
        ]),
        b"reset refs/tags/v1\nfrom :1\n\ndone\n",
    ])
    folder = SKILLS / "com.example.git.diff-summary/assets/sample.git"
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)

    def git(*arguments, **options):
        subprocess.run(["git", "--git-dir", str(folder), *arguments], check=True, **options)

    git("init", "--quiet", "--bare", "--template=", "--initial-branch=main")
    git("fast-import", "--quiet", "--done", input=history)
    git("-c", "repack.writeBitmaps=false", "-c", "repack.updateServerInfo=false", "repack", "-a", "-d", "-q")
    # Empty folders are no part of the sample: git keeps files only.
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    for empty in sorted(folder.rglob("*"), reverse=True):
        if empty.is_dir() and not any(empty.iterdir()):
            empty.rmdir()


def write(path, content):
    path = SKILLS / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


MAKERS = {"pdf": make_pdf, "image": make_image, "repository": make_repository}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        if name not in MAKERS:
            sys.exit("no sample is called %s; there are: %s" % (name, ", ".join(MAKERS)))
        MAKERS[name]()
