package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.client.RpcObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a driver must refuse, and what becomes of one that does not. */
@Timeout(60)
class RefusalsTest {
    @AutoClose
    private final Ground ground = new Ground();

    private CsiTestDriver start(UnaryOperator<DriverOptions.Builder> change) {
        return CsiTestDriver.start(change.apply(ground.driver()).build());
    }

    private static final List<String> REFUSALS = List.of(
            "provision/create-other",
            "provision/create-from-no-snapshot",
            "provision/create-from-no-volume",
            "provision/validate-unknown",
            "provision/list-odd-token",
            "provision/get-unknown",
            "bring-up/attach-unknown",
            "bring-up/attach-nowhere",
            "bring-up/stage-unknown",
            "bring-up/publish-otherwise",
            "use/stats-unknown",
            "health/health-unknown",
            "expand/expand-unknown",
            "modify/modify-unknown",
            "snapshot/list-snapshots-odd-token",
            "snapshot/get-snapshot-unknown",
            "restore/snapshot-other",
            "group-snapshot/get-group-unknown");

    @Test
    void aDriverThatKeepsToTheSpecificationRefusesAllThatMustBeRefused() {
        try (CsiTestDriver driver = start(options -> options)) {
            String listed = ground.run("--list", "--refusals", "--mutable", "tier=fast")
                    .is(0)
                    .out();
            REFUSALS.forEach(id -> assertThat(listed).contains(id + " "));
            assertThat(listed.lines().filter(line -> line.startsWith("required-fields/")))
                    .hasSize(36)
                    .anyMatch(line -> line.startsWith("required-fields/node-publish-volume-without-target-path "));

            ground.run("--refusals", "--mutable", "tier=fast").is(0);

            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    /** A call is repeated after such a code. Each failure takes the whole time limit, by the run's clock. */
    @Test
    void aRefusalWithAnotherCodeIsFoundOut() {
        RpcObserver anHourForEachUnknown = (rpc, request) -> failure -> {
            if (failure != null && failure.code() == Status.Code.UNKNOWN) {
                ground.standStill(Duration.ofHours(1));
            }
        };
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.UNKNOWN_EXCEPTIONS))) {
            String out = ground.run(anHourForEachUnknown, "--refusals", "--mutable", "tier=fast")
                    .is(1)
                    .out();

            REFUSALS.forEach(id -> assertThat(out).contains("FAILED: " + id + ":"));
            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    @Test
    void aDriverThatServesRequestsWithoutRequiredFieldsIsFoundOut() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.SERVES_WITHOUT_REQUIRED_FIELDS))) {
            String out = ground.run("--refusals").is(1).out();

            assertThat(out)
                    .contains(
                            "FAILED: required-fields/create-volume-without-name: CreateVolume without name is answered with OK",
                            "FAILED: required-fields/delete-volume-without-volume-id:",
                            "FAILED: required-fields/delete-snapshot-without-snapshot-id:");
            assertThat(driver.inventory().leaks()).isEmpty();
            assertThat(ground.state().resolve("begun")).doesNotExist();
        }
    }

    /** A driver that wants secrets first would hide behind that what it makes of the rest. */
    @Test
    void requestsWithoutRequiredFieldsCarryTheSecretsAndNoReportShowsThem() throws IOException {
        Path secrets = Files.writeString(ground.path().resolve("secrets"), "token=hunter2-canary\n");
        try (CsiTestDriver driver = start(
                options -> options.secret("token", "hunter2-canary").quirk(Quirk.SERVES_WITHOUT_REQUIRED_FIELDS))) {
            driver.faults().add("CreateSnapshot before INTERNAL the token hunter2-canary has expired");
            Path json = ground.path().resolve("report.json");
            String out = ground.run(
                            "--refusals",
                            "--focus",
                            "required-fields",
                            "--secrets",
                            secrets.toString(),
                            "--json",
                            json.toString())
                    .is(1)
                    .out();

            assertThat(out)
                    .contains(
                            "FAILED: required-fields/create-volume-without-name: CreateVolume without name is answered with OK",
                            "FAILED: required-fields/create-snapshot-without-name: CreateSnapshot without name is answered with"
                                    + " INTERNAL")
                    .doesNotContain("hunter2");
            assertThat(json).content().doesNotContain("hunter2");
            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    /** What it grants is taken back: a volume that is attached nowhere, or a target that is published in another way. */
    @Test
    void aDriverThatGrantsWhatThereIsNotIsFoundOut() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.GRANTS_THE_UNKNOWN))) {
            String out =
                    ground.run("--refusals", "--mutable", "tier=fast").is(1).out();

            REFUSALS.stream()
                    .filter(id -> id.contains("unknown") || id.contains("-no"))
                    .forEach(id -> assertThat(out).contains("FAILED: " + id + ":"));
            assertThat(driver.calls().names()).contains("ControllerUnpublishVolume", "NodeUnstageVolume");
            assertThat(driver.inventory().leaks()).isEmpty();
            assertThat(ground.state().resolve("begun")).doesNotExist();
            assertThat(ground.state().resolve("work")).doesNotExist();
        }
    }

    @Test
    void aDriverThatMakesASecondVolumeOfOneNameIsFoundOutByALargerOne() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.FRESH_ID_FOR_SAME_NAME))) {
            assertThat(ground.run("--refusals").is(1).out()).contains("FAILED: provision/create-other");
            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Quirk.class,
            names = {"LIST_WITHOUT_NEXT_TOKEN", "LIST_DUPLICATES", "LIST_DRIFT"})
    void aPageThatIsTooLargeOrEndsTooEarlyIsFoundOutAndDoesNoOtherHarm(Quirk quirk) {
        try (CsiTestDriver driver = start(options -> options.quirk(quirk))) {
            String out = ground.run().is(1).out();

            assertThat(out.lines().filter(line -> line.contains("FAILED: ")))
                    .allMatch(line -> line.contains("/list-page: "))
                    .hasSize(2);
            ground.assertClean(driver, quirk.label());
        }
    }
}
