package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A provisioner of the host's own name makes directories on one export. */
class NfsShareProvisionerTest {
    private final FakeMachine machine = new FakeMachine();
    private final NfsShareProvisioner plugin = plugin();

    private NfsShareProvisioner plugin() {
        machine.filesystems.add("nfs4");
        return Given.ready(
                new NfsShareProvisioner("example.com/nfs", "files", "/export", server -> "192.0.2.7"), machine);
    }

    private NfsSource made(Map<String, String> parameters) {
        return (NfsSource) plugin.provisioner(Given.storageClass(parameters))
                .orElseThrow()
                .provision(
                        new ProvisionRequest(
                                "pvc-1",
                                Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY),
                                Given.storageClass(parameters),
                                1,
                                0,
                                null),
                        TestContext.first())
                .source();
    }

    @Test
    void aClassThatSaysNothingGetsTheDefaultExport() {
        assertThat(made(Map.of())).isEqualTo(new NfsSource("files", "/export/pvc-1", false));
        assertThat(machine.served.get("files:/export")).isNotEmpty();
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void aClassMayNameAnotherExport() {
        assertThat(made(Map.of("server", "other", "share", "/e"))).isEqualTo(new NfsSource("other", "/e/pvc-1", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "share"})
    void aClassNamesBothOrNeither(String parameter) {
        assertThatThrownBy(() -> made(Map.of(parameter, "/e")))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("must give the parameters server and share");
    }

    @Test
    void leavesMountingToThePluginOfNfsVolumes() {
        assertThat(plugin.supports(NfsNode.SPEC)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'', files, /export", "kubernetes.io/nfs, files, /export", "a b, files, /export"})
    void refusesNamesThatAreNoProvisionersOwn(String name, String server, String path) {
        assertThatThrownBy(() -> new NfsShareProvisioner(name, server, path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("example.com/nfs");
    }

    @ParameterizedTest
    @CsvSource({"-o, /export, no host name", "files, export, not an absolute path"})
    void refusesExportsThatCannotBe(String server, String path, String why) {
        assertThatThrownBy(() -> new NfsShareProvisioner("example.com/nfs", server, path))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining(why);
    }
}
