package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which secrets are given to drivers, and whose. */
class FlexSecretsTest extends FlexBench {
    @Test
    void aSecretWithoutANamespaceIsThatOfTheVolumesClaim() {
        secrets.put(new SecretRef("default", "login"), Map.of("password", "quiet"));
        options = options.withSecretsOnCommandLine(true);
        FlexVolumeSource source =
                new FlexVolumeSource(ScriptedFlexDriver.NAME, "xfs", false, volumeOptions, new SecretRef("", "login"));
        PersistentVolume volume = new PersistentVolume(
                ObjectMeta.named("", "pv-1"),
                new PersistentVolume.Spec(
                        Quantity.parse("1Gi"),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        new ObjectReference("v1", "PersistentVolumeClaim", "default", "data", "uid-data", ""),
                        List.of(),
                        null,
                        "",
                        source),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
        VolumeSpec spec = VolumeSpec.of(volume, false);

        var unused = plugin().attacher(spec)
                .orElseThrow()
                .attach(new AttachRequest(spec, id(), "node-1", false, PluginState.none()), new ManualCallContext());

        assertThat(driver.calls.toString()).contains("\"kubernetes.io/secret/password\":\"cXVpZXQ=\"");
    }

    @Test
    void noSecretGoesToADriverUnlessTheHostAllowsIt() {
        secretRef = new SecretRef("default", "login");
        secrets.put(secretRef, Map.of("password", "quiet"));

        VolumeException refusal = catchThrowableOfType(VolumeException.class, this::mount);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refusal.advice()).contains("CSI");
        assertThat(driver.calls.toString()).doesNotContain("cXVpZXQ=");

        options = options.withSecretsOnCommandLine(true);
        loaded = null;
        driver.says("init", "{\"status\":\"Success\",\"capabilities\":{\"attach\":false}}");
        supports("mount");
        mount();
        assertThat(driver.calls.toString()).contains("\"kubernetes.io/secret/password\":\"cXVpZXQ=\"");
    }
}
