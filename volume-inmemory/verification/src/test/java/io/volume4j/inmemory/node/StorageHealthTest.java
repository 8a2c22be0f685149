package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How the storage behind a plugin's volumes is, as a node sees it, when its host asks. */
class StorageHealthTest {
    private final NodeHarness node = NodeHarness.withMachine(1);
    private final Doctor doctor = new Doctor();

    @Test
    void tellsWhatThePluginFindsAndMakesOneCallForAllWhoAskAtOnce() {
        node.plugin(doctor);
        node.start().settle();

        CompletableFuture<HealthReporter.StorageHealth> first = node.agent().storageHealth(doctor.name());
        CompletableFuture<HealthReporter.StorageHealth> second = node.agent().storageHealth(doctor.name());

        assertThat(node.get(first)).isEqualTo(Doctor.LOST).isEqualTo(node.get(second));
        assertThat(doctor.asked).isEqualTo(1);
    }

    @Test
    void aPluginThatCannotTellReportsNothing() {
        node.start().settle();
        assertThat(node.get(node.agent().storageHealth(node.plugin.name())))
                .isEqualTo(HealthReporter.StorageHealth.notReported());
    }

    @Test
    void anErrorAndAMissingPluginAreNoReading() {
        doctor.silent = true;
        node.plugin(doctor);
        node.start().settle();
        assertThatThrownBy(() -> node.get(node.agent().storageHealth(doctor.name())))
                .hasStackTraceContaining("the driver does not answer");
        assertThatThrownBy(() -> node.get(node.agent().storageHealth("absent")))
                .hasStackTraceContaining("plugin absent is not there");
    }

    private static final class Doctor implements VolumePlugin, HealthReporter {
        static final StorageHealth LOST = new StorageHealth(
                true, List.of(new StorageFinding(StorageKind.UNREACHABLE, Use.ANY, "NoPath", "all paths are down")));

        boolean silent;
        int asked;

        @Override
        public String name() {
            return "doctor.example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return false;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return "h";
        }

        @Override
        public Optional<HealthReporter> health() {
            return Optional.of(this);
        }

        @Override
        public Health health(VolumeId volume, CallContext context) {
            return Health.notReported();
        }

        @Override
        public StorageHealth storage(CallContext context) {
            asked++;
            if (silent) {
                throw VolumeException.transientFailure("the driver does not answer");
            }
            return LOST;
        }
    }
}
