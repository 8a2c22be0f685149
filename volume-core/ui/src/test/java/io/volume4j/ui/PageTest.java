package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page in a real browser: each view by something that happens. */
@Timeout(180)
class PageTest {
    @TempDir
    static Path profile;

    private static Browser browser;

    private LiveHost host = new LiveHost(LiveViewBuilder::actions);

    @BeforeAll
    static void openBrowser() {
        browser = Browser.open(profile);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void end() {
        browser.hasNoErrors();
        browser.go("about:blank");
        host.close();
    }

    private void seen(String css, String text) {
        await().atMost(LiveHost.SOON)
                .untilAsserted(() -> assertThat(browser.text(css)).contains(text));
    }

    private void look(String view) {
        browser.go("about:blank");
        browser.go(host.view.link());
        seen("#connection", "live");
        browser.run("location.hash = arguments[0]", "#/" + view);
    }

    private String key(String name) {
        return host.volumes.desiredState().read().join().volumes().stream()
                .filter(volume -> volume.pods().containsValue("default/" + name))
                .findFirst()
                .orElseThrow()
                .volume()
                .toString();
    }

    private void lookAt(String source, String key) {
        look("");
        browser.run(
                "location.hash = '#/volume/' + encodeURIComponent(arguments[0]) + '/' + encodeURIComponent(arguments[1])",
                source,
                key);
    }

    @Test
    void aHungDriverIsAtTheTopWithItsAgeAgainstItsDeadline() throws Exception {
        host.start();
        for (String name : new String[] {"web", "mail", "shop", "blog"}) {
            host.pod(name);
            host.awaitMounted(name);
        }
        host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
        host.plugin
                .faults()
                .add(Fault.on("mountDevice").nth(2).as(FaultKind.EXHAUSTED).saying("no space left on device"));
        host.pod("db");
        look("");

        seen("section[aria-label='Calls under way'] tbody tr:first-child", "mount");
        seen("section[aria-label='Calls under way'] tbody tr:first-child .age", "of 1 min 30 s");
        host.pod("queue");
        seen("section[aria-label='Not as it should be']", "no space left on device");
        browser.picture("overview");
        browser.scheme("dark");
        browser.picture("overview-dark");
        browser.scheme("light");
        browser.hasNothingThatAxeFinds();
    }

    @Test
    void aFullDiskIsExplainedWithItsNextTry() throws Exception {
        host.plugin
                .faults()
                .add(Fault.on("mountDevice")
                        .as(FaultKind.EXHAUSTED)
                        .saying("no space left on device")
                        .always());
        host.start();
        host.pod("db");
        look("");
        seen("section[aria-label='Not as it should be'] tbody", "failing");
        seen("section[aria-label='Not as it should be'] tbody", "in ");
        assertThat(browser.text(".states .failing b")).isNotEqualTo("0");

        lookAt("n1", key("db"));
        seen(".explain", "no space left on device");
        seen(".title", "failing");
        seen("section[aria-label='What would be done']", "mount");
        seen(".waterfall", "mount device");
        assertThat(browser.attribute(".chain", "aria-label"))
                .contains("Pod default/db", "Claim default/db", "PersistentVolume", "Attachment", "Device", "Mount");
        assertThat(browser.all(".chain g.ok")).isNotEmpty();
        assertThat(browser.all(".chain g.failing")).isNotEmpty();
        browser.picture("volume-failing");
        browser.hasNothingThatAxeFinds();
    }

    @Test
    void aVolumeBecomesWholeBeforeTheViewersEyes() throws Exception {
        host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
        host.start();
        host.pod("db");
        look("");
        seen("section[aria-label='Calls under way'] tbody", "mount");
        lookAt("n1", key("db"));
        seen(".title", "working");

        host.storage.blockingGate().releaseAll();

        seen(".title", "as it should be");
        await().atMost(LiveHost.SOON).untilAsserted(() -> {
            assertThat(browser.all(".chain g.ok")).hasSize(6);
            assertThat(browser.all(".chain g.working")).isEmpty();
        });
        browser.picture("volume");
        browser.scheme("dark");
        browser.picture("volume-dark");
        browser.scheme("light");
        browser.hasNothingThatAxeFinds();
    }

    @Test
    void lostLeadershipIsSaidByTheController() throws Exception {
        host.start();
        host.leads.set(false);
        look("");
        seen("section[aria-label='Nodes and controllers']", "stands by");
        seen("section[aria-label='Nodes and controllers']", "another process leads");
        browser.picture("standing-by");
        browser.hasNothingThatAxeFinds();
    }

    @Test
    void anExpansionThatIsRefusedIsShownWithItsReason() throws Exception {
        host.start();
        host.pod("db");
        host.awaitMounted("db");
        host.plugin
                .faults()
                .add(Fault.on("expand")
                        .as(FaultKind.INFEASIBLE)
                        .saying("the pool has no room")
                        .always());
        host.apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: db, namespace: default}
                spec:
                  storageClassName: fast
                  volumeName: %s
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 2Gi}}
                """.formatted(host.claims
                .awaitBound(ObjectKey.claim("default", "db"), LiveHost.SOON)
                .metadata()
                .name()));
        look("");
        seen("section[aria-label='Not as it should be']", "it was refused as it stands");
        seen("section[aria-label='Latest steps']", "the pool has no room");
        browser.picture("expansion-refused");
        browser.hasNothingThatAxeFinds();
    }

    @Test
    void manyVolumesAreSearchedFilteredAndReachedByKeyboard() throws Exception {
        host.start();
        for (int i = 0; i < 150; i++) {
            host.pod("app-" + i);
        }
        host.awaitMounted("app-149");
        look("volumes");
        seen(".panel .note", "in all");
        await().atMost(LiveHost.SOON)
                .untilAsserted(() -> assertThat(browser.all(".list .row"))
                        .as("only rows in sight are there")
                        .hasSizeBetween(5, 60));

        browser.find("body").sendKeys("/");
        WebElement search = browser.focused();
        assertThat(search.getAttribute("id")).isEqualTo("q");
        search.sendKeys("kind:volume app-14");
        seen(".panel .note", "11 match");
        search.clear();
        search.sendKeys("kind:volume plugin:mem");
        seen(".panel .note", "150 match");
        browser.picture("volumes");
        browser.hasNothingThatAxeFinds();

        browser.run("document.querySelector('.list').focus()");
        browser.focused().sendKeys(Keys.END);
        await().atMost(LiveHost.SOON)
                .untilAsserted(() -> assertThat(browser.all(".list .row[aria-rowindex='150']"))
                        .as("the last row comes into sight")
                        .hasSize(1));
        browser.run("document.querySelector('.list .row a').focus()");
        browser.focused().sendKeys(Keys.ENTER);
        seen(".title", "as it should be");
    }

    @Test
    void anActionSaysWhatWillHappenAndIsDoneOnlyThen() throws Exception {
        host.plugin.faults().add(Fault.on("mount").as(FaultKind.TRANSIENT));
        host.start();
        host.pod("db");
        look("");
        seen("section[aria-label='Not as it should be'] tbody", "failing");
        lookAt("n1", key("db"));
        seen("section[aria-label=Actions]", "Look again now");

        browser.find("section[aria-label=Actions] button").click();
        browser.find("#operator").sendKeys(host.view.operatorToken(), Keys.ENTER);
        seen("dialog", "tried at once");
        browser.picture("action");
        browser.hasNothingThatAxeFinds();
        assertThat(browser.text(".title")).contains("failing");
        browser.find("dialog .danger").click();

        seen("dialog", "it is looked at now");
        seen(".title", "as it should be");
    }

    @Test
    void podsComeAndAreSeenToGetTheirVolumes() throws Exception {
        Film film = new Film();
        host.start();
        look("");
        seen("section[aria-label='Nodes and controllers']", "works");
        browser.size(1400, 820);
        for (String name : new String[] {"web", "mail", "shop"}) {
            host.pod(name);
            host.awaitMounted(name);
            seen("section[aria-label='Latest steps']", "default/" + name);
            film.add(browser.sight(), 90);
        }
        host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
        host.pod("db");
        seen("section[aria-label='Calls under way'] tbody", "mount");
        film.add(browser.sight(), 150);
        lookAt("n1", key("db"));
        seen(".chain", "default/db");
        film.add(browser.sight(), 250);
        host.storage.blockingGate().releaseAll();
        seen(".title", "as it should be");
        await().atMost(LiveHost.SOON)
                .untilAsserted(() -> assertThat(browser.all(".chain g.ok")).hasSize(6));
        film.add(browser.sight(), 250);
        browser.size(1400, 1000);
        film.write(Files.createDirectories(Path.of("target", "pictures")).resolve("live-view.gif"));
    }

    @Test
    void onePageHasAllNodesOfACluster() throws Exception {
        host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
        host.start();
        host.pod("db");
        try (LiveHost other = new LiveHost().start();
                LiveView all = LiveView.builder()
                        .title("all nodes")
                        .join("east", host.view.uri(), host.view.viewerToken())
                        .join("west", other.view.uri(), other.view.viewerToken())
                        .build()) {
            other.pod("web");
            other.awaitMounted("web");
            all.start();
            browser.go("about:blank");
            browser.go(all.link());

            seen("section[aria-label='Nodes and controllers']", "east/n1");
            seen("section[aria-label='Nodes and controllers']", "west/n1");
            seen("section[aria-label='Calls under way'] tbody", "mount");
            browser.run(
                    "location.hash = '#/volume/' + encodeURIComponent('east/n1') + '/' + encodeURIComponent(arguments[0])",
                    key("db"));
            seen(".title", "working");
            assertThat(browser.all(".chain g.ok")).isNotEmpty();
            browser.hasNothingThatAxeFinds();
            browser.go("about:blank");
        }
    }

    @Test
    void thePageListensAgainAlthoughAProxyAnsweredForAViewThatWasAway() throws Exception {
        Runnable end = browser.before("""
                const Real = EventSource;
                const ask = fetch;
                let streams = 0;
                let summaries = 0;
                window.EventSource = Object.assign(function (path) {
                  if (++streams > 1) return new Real(path);
                  const refused = { readyState: 2, close() {} };
                  setTimeout(() => refused.onerror(), 0);
                  return refused;
                }, { CLOSED: 2 });
                window.fetch = (path, options) => path === '/api/summary' && ++summaries === 2
                  ? Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status: 502 })) : ask(path, options);
                """);
        try {
            host.start();
            browser.go(host.view.link());
            seen("#connection", "live");
        } finally {
            end.run();
        }
    }

    @Test
    void withoutAPrintedLinkThePageAsksForTheToken() throws Exception {
        host.start();
        browser.go(host.view.uri().toString());
        seen("h1", "Sign in");
        browser.hasNothingThatAxeFinds();
        browser.find("#token").sendKeys("guess", Keys.ENTER);
        seen(".signin", "the token is wrong");
        browser.find("#token").clear();
        browser.find("#token").sendKeys(host.view.viewerToken(), Keys.ENTER);
        seen("#connection", "live");
    }
}
