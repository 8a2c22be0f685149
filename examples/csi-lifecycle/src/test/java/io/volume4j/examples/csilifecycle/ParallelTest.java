package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several lives at once: the report is that of one after the other. */
@Timeout(120)
class ParallelTest {
    @AutoClose
    private final Ground ground = new Ground();

    private List<String> outcomes() throws Exception {
        List<String> found = new ArrayList<>();
        for (JsonNode one : new ObjectMapper().readTree(report().toFile()).get("cases")) {
            found.add(one.get("id").asText() + " " + one.get("outcome").asText());
        }
        return found;
    }

    private Path report() {
        return ground.path().resolve("report.json");
    }

    private void assertNoLivesLeft() {
        assertThat(ground.state().resolve("lives")).doesNotExist();
    }

    @Test
    void livesRunAtOnceAndTheReportIsThatOfOneAfterTheOther() throws Exception {
        CountDownLatch together = new CountDownLatch(4);
        RpcObserver waits = (rpc, request) -> {
            if (rpc == Rpc.CREATE_VOLUME) {
                together.countDown();
                awaitAll(together);
            }
            return failure -> {};
        };
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            ground.run("--block", "--ephemeral", "--json", report().toString()).is(0);
            List<String> alone = outcomes();

            Ground.Result result = ground.run(
                            waits, "--parallel", "5", "--block", "--ephemeral", "--json", report().toString())
                    .is(0);

            assertThat(together.getCount())
                    .as("lives that waited for each other")
                    .isZero();
            assertThat(outcomes()).isEqualTo(alone);
            assertThat(result.out().indexOf("life of the volume"))
                    .isPositive()
                    .isLessThan(result.out().indexOf("life of the snapshot"));
            ground.assertClean(driver, "parallel");
            assertNoLivesLeft();
        }
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLifeThatFailsLeavesTheOthersAlone() throws Exception {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            driver.faults().add("CreateVolumeGroupSnapshot before PERMISSION_DENIED no");

            ground.run("--parallel", "3", "--json", report().toString()).is(1);

            assertThat(outcomes())
                    .contains(
                            "group-snapshot/group failed",
                            "group-snapshot/get-group skipped",
                            "restore/read passed",
                            "clone/read passed",
                            "and-back/delete passed",
                            "leak-check passed");
            ground.assertClean(driver, "one failed");
            assertNoLivesLeft();
        }
    }

    /** What SIGKILL is to a thread. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void whatALifeThatWasCutOffLeavesIsTakenDownByTheNextRun() {
        AtomicBoolean done = new AtomicBoolean();
        RpcObserver dies = new RpcObserver() {
            @Override
            public Span begin(Rpc rpc, Supplier<String> request) {
                return failure -> {
                    if (rpc == Rpc.CREATE_VOLUME_GROUP_SNAPSHOT && done.compareAndSet(false, true)) {
                        throw new Killed();
                    }
                };
            }
        };
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            try {
                ground.run(dies, "--parallel", "2");
            } catch (IllegalStateException broken) {
                assertThat(broken).hasRootCauseInstanceOf(Killed.class);
            }
            assertThat(ground.state().resolve("lives/group/begun")).exists();
            assertThat(driver.inventory().leaks()).isNotEmpty();

            ground.run("--clean").is(0);

            ground.assertClean(driver, "cleaned");
            assertNoLivesLeft();
        }
    }

    @Test
    void aStopEndsEveryLifeAndTakesDownAll() {
        StopSignal stop = new StopSignal();
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            ground.run(stop, Ground.at(Rpc.NODE_PUBLISH_VOLUME, false, stop::ask), "--parallel", "4")
                    .is(130);

            ground.assertClean(driver, "stopped");
            assertNoLivesLeft();
        }
    }

    @Test
    void aNodeIsNotGivenMoreVolumesThanItTakes() {
        try (CsiTestDriver driver =
                CsiTestDriver.start(ground.driver().attachLimit(4).build())) {
            assertThat(ground.run("--parallel", "8").is(0).out()).contains("at most 2 lives at once");
            ground.assertClean(driver, "limit");
        }
        try (CsiTestDriver driver =
                CsiTestDriver.start(ground.driver().attachLimit(1).build())) {
            ground.run("--parallel", "8", "--ephemeral").is(0);
            ground.assertClean(driver, "limit of one");
        }
    }

    @Test
    void aVolumeThatIsThereCannotBeSharedByLives() {
        assertThat(ground.run("--parallel", "2", "--volume", "v").is(2).out()).contains("its own volume");
    }
}
