package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser without a window: Chromium, by its own driver, with an empty profile. */
final class Browser implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("/usr/bin/chromium", "/usr/bin/chromedriver");
    private static final String AXE = axe();

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Skips the test where there is no Chromium, unless tests must not be skipped. */
    static Browser open(Path profile) {
        List<String> missing = PROGRAMS.stream()
                .filter(program -> !Files.isExecutable(Path.of(program)))
                .toList();
        if (!missing.isEmpty()) {
            String why = "no browser here: " + missing + "; Debian has both in chromium and chromium-driver";
            assertThat(System.getProperty("volume4j.privileged")).as(why).isNotEqualTo("required");
            Assumptions.abort(why);
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.WARNING);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(PROGRAMS.get(0));
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--lang=en-US",
                "--user-data-dir=" + profile);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of(PROGRAMS.get(1)).toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().window().setSize(new Dimension(1400, 1000));
        return new Browser(driver);
    }

    void go(String address) {
        driver.get(address);
    }

    /** Runs the script in each page before the page's own, until the returned action ends that. */
    Runnable before(String script) {
        Object id = driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier");
        return () -> driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id));
    }

    void scheme(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** What the elements show, in one look: a live page replaces an element between finding and reading it. */
    String text(String css) {
        return run(
                "return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText ?? e.textContent).join('\\n')",
                css);
    }

    /** The attribute of the first such element, in one look as well. */
    String attribute(String css, String name) {
        return run("return document.querySelector(arguments[0]).getAttribute(arguments[1])", css, name);
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    String run(String script, Object... arguments) {
        return String.valueOf(((JavascriptExecutor) driver).executeScript(script, arguments));
    }

    /** What axe finds wrong with the page as it is, in both colour schemes. */
    void hasNothingThatAxeFinds() throws IOException {
        for (String scheme : List.of("light", "dark")) {
            scheme(scheme);
            driver.executeCdpCommand("Runtime.evaluate", Map.of("expression", AXE));
            Object found = driver.executeAsyncScript("const done = arguments[arguments.length - 1];"
                    + "axe.run(document).then((result) => done(JSON.stringify(result.violations)));");
            JsonNode violations = new ObjectMapper().readTree(String.valueOf(found));
            assertThat(violations)
                    .as("axe in " + scheme + ": " + violations.toPrettyString())
                    .isEmpty();
        }
        scheme("light");
    }

    /** No error of a script and nothing that the content security policy refused. */
    void hasNoErrors() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .filteredOn(message -> !message.contains("401"))
                .isEmpty();
    }

    /**
     * The page as a picture, in the build's directory; of the whole page, not only of what is in sight. It must look as its reference does.
     */
    void picture(String name) throws IOException {
        showWhole();
        Path folder = Files.createDirectories(Path.of("target", "pictures"));
        Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        if (hasReferenceFont()) {
            run(
                    "const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [sheet]",
                    Reference.STYLE);
            showWhole();
            byte[] picture = driver.getScreenshotAs(OutputType.BYTES);
            run("document.adoptedStyleSheets = []");
            Reference.demandAlike(name, picture, folder);
        }
        driver.manage().window().setSize(new Dimension(1400, 1000));
    }

    private void showWhole() {
        driver.manage().window().setSize(new Dimension(1400, 700));
        long height = Long.parseLong(run("return document.documentElement.scrollHeight"));
        driver.manage().window().setSize(new Dimension(1400, (int) Math.min(2400, Math.max(700, height + 20))));
    }

    /** By the width of a text: a browser does not say which fonts there are. */
    private boolean hasReferenceFont() {
        String width = run(
                "const canvas = document.createElement('canvas').getContext('2d');"
                        + "canvas.font = '100px \"' + arguments[0] + '\"';"
                        + "return Math.round(canvas.measureText('volume4j 0123 mW').width)",
                Reference.FONT);
        boolean there = width.equals(Reference.WIDTH);
        assertThat(there || !"required".equals(System.getProperty("volume4j.privileged")))
                .as("the font " + Reference.FONT + ", with which references are made; a text of it is " + width
                        + " wide where " + Reference.WIDTH + " is expected. Debian has it in fonts-dejavu-core")
                .isTrue();
        return there;
    }

    /** What is in sight, as a PNG. */
    byte[] sight() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** How much of the page is in sight. */
    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    private static String axe() {
        try (InputStream file = Objects.requireNonNull(
                Browser.class.getResourceAsStream("/axe.min.js"), "axe.min.js on the class path")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
