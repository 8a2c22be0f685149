package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.csi.driver.CsiTestDriver;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** What a program is told of a run: each case by its id, the same in every run. */
@Timeout(60)
class ReportTest {
    @AutoClose
    private final Ground ground = new Ground();

    private Path json() {
        return ground.path().resolve("report.json");
    }

    private Path junit() {
        return ground.path().resolve("report.xml");
    }

    private List<String> outcomes() throws Exception {
        List<String> found = new ArrayList<>();
        for (JsonNode one : new ObjectMapper().readTree(json().toFile()).get("cases")) {
            found.add(one.get("id").asText() + " " + one.get("outcome").asText());
        }
        return found;
    }

    private static Element parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();
    }

    @Test
    void aRunReportsEachCaseThatItsListNames() throws Exception {
        List<String> listed = ground.run("--list", "--block", "--refusals")
                .is(0)
                .out()
                .lines()
                .map(line -> line.split(" ")[0])
                .toList();
        assertThat(listed).doesNotHaveDuplicates().contains("provision/create", "restore/read", "leak-check");
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            ground.run("--block", "--refusals", "--json", json().toString(), "--junit", junit().toString())
                    .is(0);
            assertThat(driver.inventory().leaks()).isEmpty();
        }

        assertThat(outcomes().stream().filter(one -> one.endsWith(" passed")))
                .containsExactlyElementsOf(
                        listed.stream().map(id -> id + " passed").toList());
        assertThat(outcomes()).contains("modify skipped").noneMatch(one -> one.endsWith(" failed"));
        Element suite = parsed(Files.readString(junit()));
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(outcomes().size());
    }

    @Test
    void aFailureIsReportedByItsCaseAndWhatWasAheadIsSkipped() throws Exception {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            driver.faults().add("NodeStageVolume call=1 before PERMISSION_DENIED not <for> \"you\"");
            ground.run("--json", json().toString(), "--junit", junit().toString())
                    .is(1);
        }

        assertThat(outcomes())
                .contains(
                        "provision/create passed",
                        "bring-up/stage failed",
                        "bring-up/publish skipped",
                        "and-back/delete skipped",
                        "leak-check passed");
        Element failure = (Element) parsed(Files.readString(junit()))
                .getElementsByTagName("failure")
                .item(0);
        assertThat(failure.getAttribute("message")).contains("not <for> \"you\"");
    }

    @Test
    void aFocusTakesAPartAndWhatItNeeds() {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            ground.run("--focus", "restore").is(0);
            assertThat(driver.calls().names())
                    .contains("CreateSnapshot", "DeleteSnapshot")
                    .doesNotContain("ControllerExpandVolume", "CreateVolumeGroupSnapshot");
            ground.assertClean(driver, "focus");

            assertThat(ground.run("--focus", "nonsense").is(2).out()).contains("--list tells");
        }
    }

    @Test
    void aBadgeShowsWhatADriverPassesAndIsTheSameForTheSame() throws Exception {
        Path badge = ground.path().resolve("badge.svg");
        Path data = ground.path().resolve("badge.svg.json");
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            ground.run("--badge", badge.toString()).is(0);
            String first = Files.readString(badge) + Files.readString(data);
            ground.run("--badge", badge.toString()).is(0);
            assertThat(Files.readString(badge) + Files.readString(data)).isEqualTo(first);
            assertThat(driver.inventory().leaks()).isEmpty();

            JsonNode passed = new ObjectMapper().readTree(data.toFile());
            assertThat(passed.get("outcome").asText()).isEqualTo("passed");
            assertThat(passed.get("parts").get("restore").asText()).isEqualTo("passed");
            assertThat(passed.get("parts").get("modify").asText()).isEqualTo("skipped");
            Element svg = parsed(Files.readString(badge));
            assertThat(svg.getAttribute("aria-label"))
                    .startsWith("CSI 1.13.0 ")
                    .contains(passed.get("message").asText());
            assertThat(Files.readString(badge))
                    .doesNotContain("href", "url(", "<image", "<script")
                    .contains(passed.get("color").asText());

            driver.faults().add("NodeStageVolume call=1 before PERMISSION_DENIED no");
            ground.run("--badge", badge.toString()).is(1);
            JsonNode failed = new ObjectMapper().readTree(data.toFile());
            assertThat(failed.get("outcome").asText()).isEqualTo("failed");
            assertThat(failed.get("parts").get("bring-up").asText()).isEqualTo("failed");
            assertThat(failed.get("color").asText())
                    .isNotEqualTo(passed.get("color").asText());
        }
        Report report = new Report();
        assertThat(parsed(new Badge("<&\"> \u0001", report).svg()).getAttribute("aria-label"))
                .contains("<&\">");
        assertThat(new ObjectMapper()
                        .readTree(new Badge("\"", report).json())
                        .get("outcome")
                        .asText())
                .isEqualTo("skipped");
    }

    @Test
    void whatADriverSaysBreaksNoReport() throws Exception {
        Report report = new Report();
        report.add(new Report.Case(
                "a/b",
                "rule",
                Report.Outcome.FAILED,
                Duration.ofMillis(1500),
                "\u0000\u001b\uD800 \\ \" <&> \uFFFF \uD83D\uDE00"));

        Element failure = (Element)
                parsed(report.xml("d \u0001")).getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).endsWith("\\ \" <&>   \uD83D\uDE00");
        JsonNode one = new ObjectMapper()
                .readTree(report.json("d \u0001"))
                .get("cases")
                .get(0);
        assertThat(one.get("message").asText()).endsWith("\\ \" <&>   \uD83D\uDE00");
        assertThat(one.get("seconds").asDouble()).isEqualTo(1.5);
    }
}
