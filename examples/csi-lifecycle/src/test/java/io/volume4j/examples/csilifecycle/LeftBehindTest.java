package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver's word is checked against what the machine shows, and a stop leaves nothing. */
@Timeout(60)
class LeftBehindTest {
    @AutoClose
    private final Ground ground = new Ground();

    private Path target() {
        return ground.state().resolve("work/volume/pod/target");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NodeUnpublishVolume", "NodeUnstageVolume"})
    void aVolumeThatADriverForgetsToUnmountIsNotDeleted(String call) throws IOException {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build()).revivesByItself()) {
            if (call.equals("NodeUnstageVolume") && !Ground.mayMount()) {
                return; // without mounts staging shows nothing
            }
            driver.faults().add(call + " call=1 before crash-losing-state");

            assertThat(ground.run().is(1).out())
                    .contains("still shows at", "the driver is done with " + call, "not everything could be undone");
            assertThat(ground.run().is(1).out()).contains("still shows at", "--clean");
            assertThat(driver.calls().names()).doesNotContain("DeleteVolume");

            assertThat(ground.run("--clean").is(0).out()).contains("taking it away", "nothing is left");
            assertThat(MountTable.below(ground.state())).isEmpty();
            assertThat(ground.state().resolve("work")).doesNotExist();
            assertThat(driver.calls().names()).contains("DeleteVolume");
        }
    }

    @Test
    void aWriteThatFailsIsAFailure() {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            Ground.Result result = ground.run(Ground.at(Rpc.NODE_PUBLISH_VOLUME, false, () -> {
                        try {
                            // a directory stands where the file is to be written
                            Files.createDirectory(target().resolve("csi-lifecycle.txt"));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }))
                    .is(1);

            assertThat(result.out()).contains("FAILED: nothing can be written to " + target());
            ground.assertClean(driver, "nothing can be written");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE_VOLUME", "NODE_STAGE_VOLUME", "NODE_PUBLISH_VOLUME", "CREATE_SNAPSHOT"})
    void aStopTakesEverythingDownAndShowsEveryCall(String rpc) {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            StopSignal stop = new StopSignal();
            Ground.Result result = ground.run(stop, Ground.at(Rpc.valueOf(rpc), true, stop::ask))
                    .is(130);

            ground.assertClean(driver, "stopped at " + rpc);
            assertThat(result.out()).contains("stopped: taking everything down");
            List<String> shown = result.out()
                    .lines()
                    .filter(line -> line.matches("  [A-Z][A-Za-z]+ .* ms.*") && !line.endsWith("not sent"))
                    .map(line -> line.strip().split(" ")[0])
                    .toList();
            assertThat(shown).isEqualTo(driver.calls().names());
        }
    }

    @Test
    void whatWasNeverSentIsNotAskedForAgain() {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            StopSignal stop = new StopSignal();
            ground.run(stop, Ground.at(Rpc.CREATE_VOLUME, true, stop::ask)).is(130);

            assertThat(driver.calls().names()).doesNotContain("CreateVolume");
            assertThat(driver.inventory().born()).isEmpty();
        }
    }

    /** As csi-driver-host-path does with a clone after it was started again. */
    @ParameterizedTest
    @ValueSource(strings = {"CreateVolume volume=*-clone", "CreateSnapshot", "CreateVolumeGroupSnapshot"})
    void whatMayExistIsNotForgottenWhenTheDriverRefusesItsName(String call) {
        try (CsiTestDriver driver =
                CsiTestDriver.start(ground.driver().without("list").build())) {
            driver.faults().add(call + " call=1 after UNAVAILABLE");
            driver.faults().add(call + " call=2-3 before ALREADY_EXISTS");

            assertThat(ground.run().is(1).out())
                    .contains("Delete it at the backend", "not everything could be undone")
                    .doesNotContain("so it does not exist");

            assertThat(ground.run("--clean").is(0).out()).contains("nothing is left");
            ground.assertClean(driver, call);
        }
    }

    @Test
    void aStopEndsACallThatHangs() {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            driver.faults().add("NodeStageVolume call=1 after hang");
            StopSignal stop = new StopSignal();
            Thread person = new Thread(() -> {
                if (awaitBegun(driver, "NodeStageVolume")) {
                    stop.ask();
                }
            });
            person.start();

            // The driver learns of the cancellation a moment after the client, and would see two calls at once.
            RpcObserver whenTheDriverKnows =
                    Ground.at(Rpc.NODE_UNSTAGE_VOLUME, true, () -> awaitEnded(driver, "NodeStageVolume"));
            Ground.Result result = ground.run(stop, whenTheDriverKnows).is(130);

            assertThat(result.out()).contains("CANCELLED, not answered");
            ground.assertClean(driver, "stopped while a call hangs");
        }
    }

    private static void awaitEnded(CsiTestDriver driver, String rpc) {
        try {
            assertThat(driver.calls().awaitEnded(rpc, 1, Duration.ofSeconds(30)))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean awaitBegun(CsiTestDriver driver, String rpc) {
        try {
            return driver.calls().awaitBegun(rpc, 1, Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
