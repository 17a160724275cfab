#!/usr/bin/env python3
"""Run `cellog check` from `main` on old releases with known errors: which of them are definite, and whether `replay` confirms them.

usage: BENCH=DIR known_errors.py [--limit SECONDS] [--replay] [NAME...]

Each program is a folder BENCH/known/NAME. An error counts as found when a definite finding stands at one of its lines; all that is definite is
listed, for reading. The table here has what public lists say; a program without entries is run and listed all the same.
"""
import argparse
import json
import os
import subprocess
import tempfile

from cases import bench, cellog

# Folder: C files, preprocessor flags, and for each known error its file and where in it: lines, or the name of a function where public lists
# name no line.
PROGRAMS = {
    "bchunk-1.2.0": (["bchunk.c"], [], {
        "CVE-2017-15953, CVE-2017-15954 (name of a track)": ("bchunk.c", range(276, 281)),
        "CVE-2017-15955 (index before the first track)": ("bchunk.c", range(474, 476)),
    }),
    "ncompress-4.2.4": (["compress42.c"], ["-DCOMPILE_DATE=0", "-DDIRENT", "-DUTIME_H", "-DNOFUNCDEF", "-D_GNU_SOURCE"], {
        "CVE-2001-1413 (long file name)": ("compress42.c", range(886, 887)),
        "CVE-2006-1168 (codes of a compressed file)": ("compress42.c", range(1675, 1730)),
    }),
    "jhead-3.00": (["jhead.c", "exif.c", "gpsinfo.c", "iptc.c", "jpgfile.c", "jpgqguess.c", "makernote.c", "paths.c"], [], {
        "CVE-2016-3822 (offset of an entry overflows)": ("exif.c", range(318, 400)),
        "CVE-2018-6612 (length of the section)": ("exif.c", "process_EXIF"),
        "CVE-2018-16554 (numbers of a GPS entry in a string)": ("gpsinfo.c", range(140, 170)),
        "CVE-2018-17088, CVE-2019-1010301 (offset of a GPS entry)": ("gpsinfo.c", range(60, 200)),
        "CVE-2019-1010302 (lengths of IPTC data)": ("iptc.c", range(60, 175)),
        "CVE-2019-19035, CVE-2020-6624 (quantization table)": ("jpgqguess.c", "process_DQT"),
        "CVE-2020-26208 (sections of the file)": ("jpgfile.c", "ReadJpegSections"),
    }),
    "ngiflib-0.4": (["gif2tga.c", "ngiflib.c"], [], {
        "CVE-2018-10677 (place of an image)": ("ngiflib.c", "WritePixels"),
        "CVE-2018-10717, CVE-2018-11575 (stack of codes)": ("ngiflib.c", range(518, 531)),
        "CVE-2018-11576 (palette read behind its end)": ("ngiflib.c", "GifIndexToTrueColor"),
        "CVE-2019-16346 (pixel behind the image)": ("ngiflib.c", "WritePixel"),
    }),
    "abcm2ps-8.13.20": (["abcm2ps.c", "abcparse.c", "buffer.c", "deco.c", "draw.c", "format.c", "front.c", "glyph.c", "music.c", "parse.c",
                         "subs.c", "svg.c", "syms.c"], ["-fcommon"], {
        "CVE-2018-10753 (delayed output)": ("music.c", range(5070, 5090)),
        "CVE-2018-10771 (accidentals of a key)": ("parse.c", range(3890, 3920)),
        "fixed by 8a67946 (byte 0x80 in a string)": ("subs.c", range(125, 140)),
        "fixed by d185808 (tuplet of 256 notes)": ("abcparse.c", range(2095, 2140)),
        "fixed by 93bc665 (unknown clef)": ("abcparse.c", "parse_clef"),
    }),
    "mp3gain-1.5": (["mp3gain.c", "apetag.c", "id3tag.c", "gain_analysis.c", "rg_error.c", "mpglibDBL/common.c", "mpglibDBL/dct64_i386.c",
                     "mpglibDBL/decode_i386.c", "mpglibDBL/interface.c", "mpglibDBL/layer3.c", "mpglibDBL/tabinit.c"], ["-DHAVE_MEMCPY"], {
        "CVE-2017-14406 (empty buffer)": ("interface.c", "sync_buffer"),
        "CVE-2017-14407": ("gain_analysis.c", "filterYule"),
        "CVE-2017-14408": ("layer3.c", "dct36"),
        "CVE-2017-14409": ("layer3.c", "III_dequantize_sample"),
        "CVE-2017-14410": ("layer3.c", "III_i_stereo"),
        "CVE-2017-14411, CVE-2017-14412": ("interface.c", "copy_mp"),
        "CVE-2018-10776": ("common.c", "getbits"),
        "CVE-2018-10777 (tag that is written)": ("apetag.c", "WriteMP3GainAPETag"),
        "CVE-2018-10778, CVE-2019-18359 (tag that is read)": ("apetag.c", "ReadMP3APETag"),
    }),
    "pdfresurrect-0.14": (["main.c", "pdf.c"], [], {
        "CVE-2019-14267 (number behind startxref)": ("pdf.c", range(216, 225)),
        "CVE-2019-14934 (kids of pages)": ("pdf.c", range(290, 300)),
        "fixed by 527810a (entries of a table in plain text)": ("pdf.c", range(631, 638)),
        "CVE-2020-9549 (name of a type)": ("pdf.c", range(1199, 1212)),
    }),
    "ffjpeg-2019": (["ffjpeg.c", "bitstr.c", "bmp.c", "color.c", "dct.c", "huffman.c", "jfif.c", "quant.c", "zigzag.c"], [], {
        "CVE-2019-16350 (no quantization table)": ("dct.c", "idct2d8x8"),
        "CVE-2019-16351 (no Huffman table)": ("huffman.c", "huffman_decode_step"),
        "CVE-2019-16352 (Huffman table behind the section)": ("jfif.c", range(205, 239)),
        "CVE-2020-13438, CVE-2020-23851 (size of a component)": ("jfif.c", range(509, 516)),
        "CVE-2020-13439 (samples of a component)": ("jfif.c", range(531, 550)),
        "CVE-2020-13440 (size of a bitmap)": ("bmp.c", "bmp_load"),
        "fixed by d615881 (division by a sampling factor)": ("jfif.c", range(423, 441)),
    }),
    "libwav-2017": (["libwav.c", "tools/wav_info/wav_info.c"], ["-I."], {
        "CVE-2018-14050 (file without data)": ("libwav.c", "wav_free"),
    }),
}

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=300)
parser.add_argument("--replay", action="store_true")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()


def report(folder, files, flags, out):
    """The report on a program; None if there is none."""
    command = [cellog(), "check", *files, "--no-cache", "--effort", "limit", "--time-limit", str(options.limit),
               "--format", "json", "-o", out, "--", *flags]
    subprocess.run(command, cwd=folder, capture_output=True)
    try:
        with open(out) as text:
            return json.load(text)
    except (OSError, ValueError):
        return None


def replayed(folder, files, flags, out, identity):
    """What `replay` says of a finding."""
    command = [cellog(), "replay", identity, *files, "--report", out, "--", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else "no answer"


def is_at(finding, file, place):
    """Whether a finding stands there."""
    inside = finding["function"] == place if isinstance(place, str) else finding["line"] in place
    return inside and os.path.basename(finding["file"]) == file


known = found = 0
for name in options.names or PROGRAMS:
    files, flags, errors = PROGRAMS[name]
    folder = bench("known", name)
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "report.json")
        result = report(folder, files, flags, out)
        if result is None:
            print(f"{name}: no report")
            continue
        print(f"{name}: {result['summary']}")
        definite = [f for f in result["findings"] if f["verdict"] == "definite"]
        for error, (file, lines) in errors.items():
            at = [f for f in result["findings"] if is_at(f, file, lines)]
            states = {f["verdict"] for f in at}
            state = "found" if "definite" in states else next((s for s in ("possible", "unknown") if s in states), "nothing there")
            known, found = known + 1, found + (state == "found")
            print(f"  {state:14} {error}")
        for f in definite:
            said = replayed(folder, files, flags, out, f["id"]) if options.replay else ""
            print(f"    {os.path.basename(f['file'])}:{f['line']} {f['function']} {f['check']}: {f['message']} {said}", flush=True)
print(f"{found} of {known} known errors found")
