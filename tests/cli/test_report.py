"""The page of --report in a real browser: it renders, says what the JSON says, and asks nothing of the network."""
import json
import re
import shutil

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium here: scripts/setup --all installs it")


def embedded(html, name):
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S).group(1))


@pytest.fixture
def page(motmot, toy, tmp_path):
    done = motmot("distance", "toy/x.csv", "toy/y.csv", "--tau", 0.1, "--json", "r.json", "--report", "a page.html")
    assert done.code == 0, done.err
    return tmp_path / "a page.html"


@pytest.fixture
def browser(tmp_path):
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    started = []

    def start(*flags):
        options = Options()
        options.binary_location = CHROMIUM
        for flag in ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", f"--user-data-dir={tmp_path}/profile{len(started)}", *flags]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        driver.set_page_load_timeout(120)
        started.append(driver)
        return driver
    yield start
    for driver in started:
        driver.quit()


def open_page(driver, page):
    driver.get(page.as_uri())
    assert driver.execute_script("return document.documentElement.dataset.ready") == "yes"


INKED = """
return [...document.querySelectorAll("canvas")].map((canvas) => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
});"""


def test_page_says_what_the_json_says(page, tmp_path):
    html = page.read_text()
    result = json.loads((tmp_path / "r.json").read_text())
    assert embedded(html, "result") == result
    charts = {chart["title"]: chart for chart in embedded(html, "charts")}
    values = charts["The answer and other estimates"]
    shown = {}
    for series in values["series"]:
        shown.update({values["categories"][int(x)]: y for x, y in zip(series["x"], series["y"])})
    assert shown == {"distance": result["value"], "all rows": result["plain"], "partial": result["partial"],
                     "paper (mom)": result["neighbours"]["paper"]["value"]}
    by_tau = charts["The distance, by the share of rows that may be wrong"]["series"][0]
    assert by_tau["y"] == [point["value"] for point in result["tau_path"] if point["value"] is not None]
    assert charts["The distance as the most remote rows go"]["series"][0]["y"] == [point["value"] for point in result["profile"]]
    assert f"X (120 rows) and Y (90 rows) are {result['value']:.2f} apart." in html
    for row in result["left_out"]["x"]:
        assert f'<td>X</td><td class="n">{row}</td>' in html
    assert "motmot distance toy/x.csv toy/y.csv --tau 0.1 --json r.json --report &#39;a page.html&#39;" in html


def test_report_does_not_change_the_answer(motmot, toy, tmp_path, page):
    """It adds the paper's estimate beside it."""
    assert motmot("distance", "toy/x.csv", "toy/y.csv", "--tau", 0.1, "--json", "plain.json").code == 0
    with_page, without = (json.loads((tmp_path / name).read_text()) for name in ["r.json", "plain.json"])
    assert with_page["neighbours"]["paper"] is not None and without["neighbours"]["paper"] is None
    for result in (with_page, without):
        del result["run"], result["neighbours"]
    assert with_page == without


def test_unwritable_report_is_refused_before_the_work(motmot, toy):
    done = motmot("distance", "toy/x.csv", "toy/y.csv", "--report", "nowhere/page.html")
    assert done.code == 2 and "nowhere/page.html" in done.err and done.err.count("\n") == 1


@needs_browser
def test_page_renders_without_errors_or_requests(page, browser):
    driver = browser("--window-size=1200,900")
    open_page(driver, page)
    charts = embedded(page.read_text(), "charts")
    inked = driver.execute_script(INKED)
    assert len(inked) == len(charts) >= 4 and min(inked) > 20, inked
    assert [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    # The browser's own pages ask for things too; what counts is what ours does.
    sent = [json.loads(entry["message"])["message"]["params"] for entry in driver.get_log("performance")
            if '"Network.requestWillBeSent"' in entry["message"]]
    assert [one["request"]["url"] for one in sent if one["documentURL"] == page.as_uri()] == [page.as_uri()]
    # What Chart.js holds is what was embedded, and the table behind each chart has a row for each of its points.
    for i, chart in enumerate(charts):
        drawn = driver.execute_script("return charts[arguments[0]].data.datasets.map((d) => d.data.map((p) => [p.x, p.y]))", i)
        for series, points in zip(chart["series"], drawn):
            x, y = (series["y"], series["x"]) if chart["horizontal"] else (series["x"], series["y"])
            assert points == [list(point) for point in zip(x, y)]
    rows = driver.execute_script("return [...document.querySelectorAll('figure')].map((f) => f.querySelectorAll('tbody tr').length)")
    for chart, count in zip(charts, rows):
        xs = [series["x"] for series in chart["series"]]
        labels = [series["labels"] for series in chart["series"]]
        shared = all(x == xs[0] for x in xs) and all(l == labels[0] for l in labels)
        assert count == (len(xs[0]) if shared else sum(map(len, xs)))


LUMINANCE = """
const lum = (c) => c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
                    .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3).map(Number);
const under = (e) => { for (; e; e = e.parentElement) { const b = getComputedStyle(e).backgroundColor;
                       if (!b.endsWith(", 0)") && b !== "transparent") return b; } return "rgb(255, 255, 255)"; };
return [...document.querySelectorAll("h1, h2, h3, p, dt, dd, figcaption, summary, th, td, button, code, .mark")]
  .filter((e) => e.offsetWidth > 1).map((e) => {
    const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(rgb(under(e)))];
    return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.tagName + "." + e.className + " " + e.textContent.slice(0, 30)];
  }).sort((a, b) => a[0] - b[0])[0];"""


@needs_browser
def test_dark_and_light_have_contrast_and_differ(page, browser):
    driver = browser("--window-size=1200,900")
    open_page(driver, page)
    ground, axis = [], []
    for _ in range(2):
        ground.append(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
        axis.append(driver.execute_script("return charts[0].options.scales.x.ticks.color"))
        assert driver.execute_script(LUMINANCE)[0] >= 4.5, driver.execute_script(LUMINANCE)
        driver.find_element("id", "theme").click()
    assert ground[0] != ground[1] and axis[0] != axis[1]


@needs_browser
@pytest.mark.parametrize("width", [390, 768])
def test_narrow_screens_do_not_scroll_sideways(page, browser, width):
    driver = browser("--window-size=900,900")
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    open_page(driver, page)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.execute_script("return innerWidth") == width


@needs_browser
def test_keyboard_walks_through_the_points_and_folds_series(page, browser):
    from selenium.webdriver.common.keys import Keys
    driver = browser("--window-size=1200,900")
    open_page(driver, page)
    charts = embedded(page.read_text(), "charts")
    data = next(i for i, chart in enumerate(charts) if chart["title"].startswith("All rows"))
    canvas = driver.find_element("id", f"chart-{data}")
    canvas.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    spoken = driver.find_element("id", f"chart-{data}-spoken").get_attribute("textContent")
    assert charts[data]["series"][0]["labels"][1] in spoken
    button = driver.find_element("css selector", f"#chart-{data}-legend button")
    button.send_keys(Keys.ENTER)
    assert button.get_attribute("aria-pressed") == "false"
    assert driver.execute_script(f"return charts[{data}].isDatasetVisible(0)") is False


# A folder and a file whose path is a script, names of columns and levels that would be markup anywhere else.
CODE = "<script>window.pwned=1</script>"
FOLDER, FILE = "<script>window.pwned=1<", "script>"
HOSTILE = [f'"><img src=x onerror="window.pwned=2">{CODE}', f"</script>{CODE}", "'-window.pwned-'<svg onload=window.pwned=3>",
           "<a href=javascript:window.pwned=4>click</a><!--<iframe srcdoc='" + CODE + "'>"]


@pytest.fixture
def hostile_pages(motmot, tmp_path):
    import csv
    import random
    chance = random.Random(7)
    (tmp_path / FOLDER).mkdir()
    paths = []
    for k in range(4):
        paths.append(f"{FOLDER}/{FILE}{k}.csv")
        with open(tmp_path / paths[-1], "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(HOSTILE)
            for _ in range(60):
                writer.writerow([chance.gauss(k, 1), chance.gauss(0, 1), chance.choice(HOSTILE[:3]), chance.choice(["a", f"<b>{CODE}"])])
            writer.writerow([90, 90, f"{CODE}&lt;", "a"])
    commands = {"distance": ["distance", *paths[:2]], "matrix": ["matrix", *paths], "compare": ["compare", *paths[:2]],
                "outliers": ["outliers", *paths[:2]], "doctor": ["doctor", *paths[:2]],
                "reference": ["reference", "r.ref", paths[0]], "check": ["check", "r.ref", paths[1]],
                "monitor": ["monitor", "r.ref", *paths[1:], "--one-in", 3]}
    for name, words in commands.items():
        done = motmot(*words, "--report", f"{name}.html")
        assert done.code in (0, 1), (name, done.err)
    return {name: tmp_path / f"{name}.html" for name in commands}


SEEN = """
return {pwned: window.pwned ?? null, ready: document.documentElement.dataset.ready,
        scripts: document.scripts.length,
        foreign: [...document.querySelectorAll("img, iframe, object, embed, link, base, form, video, audio")].length,
        links: [...document.querySelectorAll("a")].map((a) => a.getAttribute("href")),
        handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
        text: document.body.textContent};"""


@needs_browser
def test_hostile_names_and_cells_are_text_on_every_page(hostile_pages, browser):
    driver = browser("--window-size=1200,900")
    for name, page in hostile_pages.items():
        open_page(driver, page)
        seen = driver.execute_script(SEEN)
        assert seen["pwned"] is None and seen["foreign"] == 0 and seen["handlers"] == 0 and seen["links"] == ["#content"], name
        assert seen["scripts"] in (6, 7), name  # charts, perhaps the result, and five of our own
        assert "window.pwned=1" in seen["text"], f"{name}: nothing hostile came as far as this page, so it tests nothing"
        assert [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == [], name
        sent = [json.loads(entry["message"])["message"]["params"] for entry in driver.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"]]
        assert {one["request"]["url"] for one in sent if one["documentURL"] == page.as_uri()} <= {page.as_uri()}, name


@needs_browser
def test_the_policy_alone_stops_what_escaping_would_have_let_through(hostile_pages, browser):
    """The same pages with markup put into them: the scripts are refused, and our own still run."""
    driver = browser("--window-size=1200,900")
    smuggled = (f"{CODE}<img src=x onerror='window.pwned=2'><svg onload='window.pwned=3'></svg><style>body {{ display: none }}</style>"
                "<script src='https://example.org/x.js'></script><iframe src='https://example.org/'></iframe>")
    for name, page in hostile_pages.items():
        html = page.read_text()
        assert html.count("Content-Security-Policy") == 1 and "unsafe" not in html.split("</head>")[0], name
        page.write_text(html.replace('<main id="content">', '<main id="content">' + smuggled, 1))
        open_page(driver, page)
        assert driver.execute_script("return [window.pwned ?? null, getComputedStyle(document.body).display]") == [None, "block"], name
        refused = [entry["message"] for entry in driver.get_log("browser") if "Content Security Policy" in entry["message"]]
        assert len(refused) >= 5, (name, refused)
