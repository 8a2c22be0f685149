package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.Quirk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The tool kills the driver at each call, before, during and after it, and the driver must come to the same. */
@Timeout(300)
class KillMatrixTest {
    @AutoClose
    private final Ground ground = new Ground();

    private Map<String, String> outcomes(Path report) throws Exception {
        Map<String, String> found = new TreeMap<>();
        for (JsonNode one : new ObjectMapper().readTree(report.toFile()).get("cases")) {
            found.put(one.get("id").asText(), one.get("outcome").asText());
        }
        return found;
    }

    private CsiTestDriver start(Quirk... quirks) {
        var options = ground.driver();
        for (Quirk quirk : quirks) {
            options.quirk(quirk);
        }
        CsiTestDriver driver = CsiTestDriver.start(options.build()).revivesByItself();
        ground.killBy(driver::crash);
        return driver;
    }

    @Test
    void eachCallAtEachMomentHasACaseThatAConformingDriverPasses() throws Exception {
        Path report = ground.path().resolve("report.json");
        try (CsiTestDriver driver = start()) {
            ground.run("--block", "--ephemeral", "--kill", "it", "--json", report.toString())
                    .is(0);
            ground.assertClean(driver, "kill matrix");
            Map<String, String> outcomes = outcomes(report);
            List<String> wanted = new ArrayList<>();
            for (Moment moment : Moment.values()) {
                for (String call : List.of(
                        "provision/create",
                        "bring-up/attach",
                        "bring-up/stage",
                        "bring-up/publish",
                        "use/unpublish",
                        "expand/expand",
                        "snapshot/snapshot",
                        "restore/restore",
                        "restore/read",
                        "snapshot-metadata/metadata-delta",
                        "clone/clone",
                        "group-snapshot/group",
                        "inline-volume/publish-inline",
                        "and-back/unstage",
                        "and-back/detach",
                        "and-back/delete")) {
                    wanted.add(moment.id() + "/" + call);
                }
            }
            assertThat(outcomes).containsKeys(wanted.toArray(new String[0])).containsKey("provision/create-again");
            assertThat(outcomes.keySet()).noneMatch(id -> id.startsWith("kill") && id.endsWith("-again"));
            assertThat(outcomes.entrySet().stream().filter(one -> wanted.contains(one.getKey())))
                    .allMatch(one -> one.getValue().equals("passed"));
            long calls = outcomes.keySet().stream()
                    .filter(id -> id.startsWith("kill") && !id.matches(".*/(write|write-more|read)"))
                    .count();
            assertThat(driver.crashes()).as("one for each call").isGreaterThanOrEqualTo((int) calls);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FRESH_ID_FOR_SAME_NAME, kill-after, provision/create",
        "NON_IDEMPOTENT_UNPUBLISH, kill-after, use/unpublish",
        "NOT_FOUND_ON_REPEATED_DELETE, kill-after, restore/delete"
    })
    void aDriverThatIsNotIdempotentFailsWhereItIsNot(Quirk quirk, String moment, String call) throws Exception {
        Path report = ground.path().resolve("report.json");
        try (CsiTestDriver driver = start(quirk)) {
            assertThat(ground.run("--kill", "it", "--focus", moment, "--json", report.toString())
                            .is(1)
                            .out())
                    .contains("FAILED: ");
            assertThat(outcomes(report)).containsEntry(moment + "/" + call, "failed");
            assertThat(driver.crashes()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aFocusOnAMomentAndAPartLeavesTheRestOut(Moment moment) throws Exception {
        Path report = ground.path().resolve("report.json");
        try (CsiTestDriver driver = start()) {
            ground.run("--kill", "it", "--focus", moment.id(), "--focus", "expand", "--json", report.toString())
                    .is(0);
            ground.assertClean(driver, moment.id());
        }
        assertThat(outcomes(report).keySet())
                .contains(moment.id() + "/expand/expand", "leak-check")
                .allMatch(id -> id.equals("leak-check") || id.startsWith(moment.id()))
                .noneMatch(id -> id.contains("snapshot"));
    }

    @Test
    void aMomentWithoutAKillerIsRefused() {
        try (CsiTestDriver driver = start()) {
            assertThat(ground.run("--focus", "kill-after").is(2).out()).contains("needs --kill");
            assertThat(driver.crashes()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, and the driver's process still lives",
        "false, exit code 1",
        "/nonexistent/program, cannot be killed by"
    })
    void aProgramThatKillsNothingIsFoundOut(String program, String why) {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            Ground.Result result = ground.run("--timeout", "3", "--kill", program, "--focus", "kill-before")
                    .is(1);

            assertThat(result.out()).contains(why, "run it by hand", "nothing is left");
            ground.assertClean(driver, program);
        }
    }
}
