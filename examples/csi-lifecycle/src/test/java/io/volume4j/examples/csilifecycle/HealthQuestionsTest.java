package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.HealthFinding;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.rpc.Rpc;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The part of a run that asks how volumes and storage are. */
@Timeout(60)
class HealthQuestionsTest {
    private static final String VOLUME = "vol-1";
    private static final String NODE = "node-1";
    private static final HealthFinding SLOW = HealthFinding.of("DEGRADED", "Rebuilding", "two of three");

    @AutoClose
    private final Ground ground = new Ground();

    private CsiTestDriver start(UnaryOperator<DriverOptions.Builder> change) {
        return CsiTestDriver.start(change.apply(ground.driver()).build());
    }

    /** A run in which the driver finds something when the volume is there. */
    private Ground.Result run(Runnable found) {
        return ground.run(Ground.at(Rpc.NODE_PUBLISH_VOLUME, true, found));
    }

    @Test
    void aVolumeThatIsWellIsShownAsSuch() {
        try (CsiTestDriver driver = start(options -> options)) {
            assertThat(ground.run().is(0).out())
                    .containsPattern("ControllerGetVolumeHealth +vol-1 .* well")
                    .containsPattern("NodeGetVolumeHealth +vol-1 .* well")
                    .containsPattern("NodeGetStorageHealth .* well");
            ground.assertClean(driver, "well");
        }
    }

    @Test
    void whatIsFoundIsShownAndIsNoFailure() {
        try (CsiTestDriver driver = start(options -> options)) {
            Ground.Result result = run(() -> {
                driver.setHealth(VOLUME, "controller", SLOW, HealthFinding.of("99", "Newer", ""));
                driver.setStorageHealth(NODE, HealthFinding.of("STORAGE_DEGRADED", "FewerPaths", ""));
            });

            assertThat(result.is(0).out())
                    .contains("Rebuilding (status 1), Newer (status 99)", "1 volume", "FewerPaths (status 1)");
        }
    }

    @Test
    void aListThatLacksAnAbnormalVolumeFails() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.HEALTH_LIST_MISSES))) {
            assertThat(run(() -> driver.setHealth(VOLUME, "controller", SLOW))
                            .is(1)
                            .out())
                    .contains("FAILED: ControllerGetVolumeHealth calls volume vol-1 abnormal", "nothing is left");
        }
    }

    @Test
    void aPairOfStatusAndReasonThatIsToldTwiceFails() {
        try (CsiTestDriver driver = start(options -> options)) {
            assertThat(run(() -> driver.setHealth(VOLUME, NODE, SLOW, SLOW))
                            .is(1)
                            .out())
                    .contains("FAILED: status 1 of health with reason Rebuilding is told twice", "nothing is left");
        }
    }

    @Test
    void aStatusWithoutReasonFails() {
        try (CsiTestDriver driver = start(options -> options)) {
            assertThat(run(() -> driver.setHealth(VOLUME, "controller", HealthFinding.of("DEGRADED", "", "")))
                            .is(1)
                            .out())
                    .contains("FAILED: status 1 of health has no reason");
        }
    }

    @Test
    void aStatusThatIsNotSetFails() {
        try (CsiTestDriver driver = start(options -> options)) {
            assertThat(run(() -> driver.setStorageHealth(NODE, HealthFinding.of("0", "Odd", "")))
                            .is(1)
                            .out())
                    .contains("FAILED: a status of health is not set");
        }
    }

    @Test
    void aDriverOf112IsNotAsked() {
        try (CsiTestDriver driver = start(DriverOptions.Builder::of112)) {
            assertThat(ground.run().is(0).out())
                    .contains(
                            "health: the driver does not have GET_VOLUME_HEALTH, LIST_VOLUME_HEALTH or GET_STORAGE_HEALTH");
            assertThat(driver.calls().names()).noneMatch(name -> name.endsWith("Health"));
        }
    }
}
