package io.volume4j.inmemory.plugin;

import static io.volume4j.inmemory.plugin.Volumes.volume;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_MANY;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls that fail because they were told to, or for want of a secret. */
class InMemoryFailuresTest extends PluginBench {
    @Test
    void aFaultHitsItsCallVolumeAndNodeAndIsRecorded() {
        storage.faults().add(Fault.on("attach").of("v1").at("n2").as(FaultKind.UNCERTAIN_AFTER));
        attached(volume("v1", READ_WRITE_MANY), "n1");

        assertThat(failure(() -> attached(volume("v1", READ_WRITE_MANY), "n2")).kind())
                .isEqualTo(FailureKind.UNCERTAIN);

        assertThat(storage.volume("v1").orElseThrow().attachments()).containsOnlyKeys("n1", "n2");
        assertThat(storage.calls()).extracting(PluginCall::outcome).containsExactly("ok", "uncertain");
    }

    @Test
    void aCallNeedsTheSecretThatItsSourceNames() {
        SecretRef reference = new SecretRef("default", "attach-key");
        InMemorySecrets secrets = new InMemorySecrets();
        plugin.init(InMemoryPluginHost.named("n1").secrets(secrets).build());
        VolumeSpec spec = volume("v1", withAttachSecret(reference));

        assertThat(failure(() -> attached(spec, "n1")).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(storage.calls()).isEmpty();

        secrets.put(reference, Map.of("key", "canary"));
        attached(spec, "n1");
        storage.faults().add(Fault.on("attach"));
        assertThat(failure(() -> attached(spec, "n2"))).hasMessageNotContaining("canary");
    }

    @Test
    void aCarelessPluginLeaksItsSecretWithoutChangingWhatTheFailureMeans() {
        SecretRef reference = new SecretRef("default", "attach-key");
        InMemorySecrets secrets = new InMemorySecrets();
        secrets.put(reference, Map.of("key", "canary"));
        plugin = InMemoryPlugin.builder(storage).leaksSecrets().build();
        plugin.init(InMemoryPluginHost.named("n1").secrets(secrets).build());
        VolumeSpec spec = volume("v1", withAttachSecret(reference));
        storage.faults().add(Fault.on("attach").dangling("n2"));
        storage.faults().add(Fault.on("attach").as(FaultKind.FINAL_PROVING_ABSENCE));

        VolumeException dangling = failure(() -> attached(spec, "n1"));
        VolumeException proof = failure(() -> attached(spec, "n1"));

        assertThat(dangling).hasMessageContaining("canary");
        assertThat(dangling.holder()).isEqualTo("n2");
        assertThat(proof).hasMessageContaining("canary");
        assertThat(proof.provesAbsent()).isTrue();
    }

    @Test
    void aMountThatMayBeThereStaysOnTheRecord() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(Volumes.ROOT);
        plugin.init(InMemoryPluginHost.named("n1").mounts(machine).build());
        attached(volume("v1"), "n1");
        machine.faults().add(Fault.on("mount").as(FaultKind.FINAL));
        machine.faults().add(Fault.on("mount").as(FaultKind.UNCERTAIN_AFTER));

        failure(() -> staged(volume("v1")));
        assertThat(storage.volume("v1").orElseThrow().stagings()).isEmpty();
        failure(() -> staged(volume("v1")));
        assertThat(storage.volume("v1").orElseThrow().stagings()).containsOnlyKeys("n1");
        assertThat(machine.table().below(Volumes.ROOT)).hasSize(1);
    }

    private static CsiSource withAttachSecret(SecretRef reference) {
        return new CsiSource("mem", "v1", false, "", Map.of(), reference, null, null, null, null);
    }
}
