package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.NfsNode.SPEC;
import static io.volume4j.core.plugins.NfsNode.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.nfs.NfsProvisioner;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Recycler.RecycleRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of an export for claims: a directory for each, which is deleted, kept or emptied. */
class NfsExportTest {
    private final NfsNode node = new NfsNode(Runnable::run);
    private final FakeMachine machine = node.machine;
    private final NfsPlugin plugin = node.plugin;

    private static final String WORK = Given.ROOT + "/plugins/kubernetes.io~nfs/data/work/pvc-1";

    @Test
    void givesEachClaimADirectoryOfItsOwnOnTheExport() {
        ProvisionResult made = provision(Map.of("server", "files", "share", "/export"), "pvc-1");

        assertThat(made.source()).isEqualTo(new NfsSource("files", "/export/pvc-1", false));
        assertThat(made.capacityBytes()).isEqualTo(1 << 20);
        assertThat(made.nodeAffinity()).isNull();
        assertThat(machine.served.get("files:/export"))
                .containsOnlyKeys(Path.of("pvc-1"))
                .containsValue(new FileStatus(FileStatus.Type.DIRECTORY, 0, 0777));
        assertThat(machine.nodes).doesNotContainKey(Path.of(WORK));
        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        assertThat(machine.mountOptions).contains("soft");
        assertThat(provision(Map.of("server", "files", "share", "/export"), "pvc-1"))
                .isEqualTo(made);
    }

    /** A crash between mkdir and chmod leaves a directory with the umask's mode. Pods of other users cannot write to it. */
    @Test
    void finishesADirectoryThatACrashLeftWithTheModeOfTheUmask() {
        machine.served.put(
                "files:/export",
                new TreeMap<>(Map.of(Path.of("pvc-1"), new FileStatus(FileStatus.Type.DIRECTORY, 0, 0755))));

        provision(Map.of("server", "files", "share", "/export"), "pvc-1");

        assertThat(machine.served.get("files:/export"))
                .containsEntry(Path.of("pvc-1"), new FileStatus(FileStatus.Type.DIRECTORY, 0, 0777));
    }

    @Test
    void keepsTheModeOfADirectoryWithFiles() {
        onExport("files:/export", "pvc-1/a");
        FileStatus before = new FileStatus(FileStatus.Type.DIRECTORY, 0, 0700);

        provision(Map.of("server", "files", "share", "/export"), "pvc-1");

        assertThat(machine.served.get("files:/export")).containsEntry(Path.of("pvc-1"), before);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "server=files,            pvc-1,   must give the parameters server and share",
        "server=files share=/e x=1, pvc-1, does not know; known are server",
        "server=files archiveOnDelete=true, pvc-1, must give the parameters server and share",
        "server=files share=/e archiveOnDelete=yes, pvc-1, must give archiveOnDelete as",
        "server=files share=e,    pvc-1,   not an absolute path",
        "server=-o share=/e,      pvc-1,   no host name",
        "server=files share=/e,   ../pvc,  cannot be the name of a file",
    })
    void refusesClassesAndNamesThatLeadElsewhere(String parameters, String name, String message) {
        Map<String, String> map = new TreeMap<>();
        for (String parameter : parameters.split(" ")) {
            map.put(parameter.split("=")[0], parameter.split("=")[1]);
        }

        assertThat(failureOf(() -> provision(map, name))).hasMessageContaining(message);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void deletesTheDirectoryOfTheVolumeAndNothingBesides() {
        onExport("files:/export", "pvc-1/a", "pvc-1/b/c", "pvc-2/kept");

        delete("pvc-1", "/export/pvc-1");
        delete("pvc-1", "/export/pvc-1");

        assertThat(machine.served.get("files:/export")).containsOnlyKeys(Path.of("pvc-2"), Path.of("pvc-2/kept"));
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void renamesTheDirectoryWhenTheClassSaidThatItIsToBeKept() {
        ProvisionResult made =
                provision(Map.of("server", "files", "share", "/export", "archiveOnDelete", "true"), "pvc-1");
        onExport("files:/export", "pvc-1/a", "pvc-2/kept");
        DeleteRequest request = new DeleteRequest("pvc-1", made.source(), made.annotations());

        plugin.deleter(SPEC).orElseThrow().delete(request, TestContext.first());
        plugin.deleter(SPEC).orElseThrow().delete(request, TestContext.first());

        assertThat(machine.served.get("files:/export"))
                .containsOnlyKeys(
                        Path.of("archived-pvc-1"),
                        Path.of("archived-pvc-1/a"),
                        Path.of("pvc-2"),
                        Path.of("pvc-2/kept"));
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void archivesNothingOverAnArchiveThatIsThere() {
        onExport("files:/export", "pvc-1/a", "archived-pvc-1/old");
        NfsSource source = new NfsSource("files", "/export/pvc-1", false);
        DeleteRequest request = new DeleteRequest("pvc-1", source, Map.of(NfsProvisioner.ON_DELETE, "archive"));

        VolumeException failure =
                failureOf(() -> plugin.deleter(spec(source)).orElseThrow().delete(request, TestContext.first()));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.served.get("files:/export")).containsKeys(Path.of("pvc-1/a"), Path.of("archived-pvc-1/old"));
        assertThat(machine.mounts).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"pvc-1, /export", "pvc-1, /export/pvc-2", "pvc-1, /export/pvc-1/", "pvc-1, /export/xpvc-1", "pvc-1, /"})
    void deletesNoExportThatWasNotMadeForTheVolume(String name, String path) {
        assertThat(failureOf(() -> delete(name, path))).hasMessageContaining("was not made for volume");
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void recyclesAnExportByRemovingWhatIsInIt() {
        onExport("files:/export/a b", "a", "b/c", "b/d/e");

        plugin.recycler(SPEC).orElseThrow().recycle(new RecycleRequest("pvc-1", SPEC.source(), 1), TestContext.first());

        assertThat(machine.served.get("files:/export/a b")).isEmpty();
        assertThat(machine.mounts).isEmpty();
    }

    /** The next claim gets the export: a name that is no text must not bring it the data of the claim before. */
    @Test
    void recyclesAlsoWhatNoListingShows() {
        onExport("files:/export/a b", "a", "hidden");
        machine.unlisted.add("hidden");

        plugin.recycler(SPEC).orElseThrow().recycle(new RecycleRequest("pvc-1", SPEC.source(), 1), TestContext.first());

        assertThat(machine.served.get("files:/export/a b")).isEmpty();
    }

    @Test
    void unmountsTheExportAlsoWhenTheWorkOnItFailed() {
        onExport("files:/export", "pvc-1");

        assertThat(failureOf(() -> provision(Map.of("server", "files", "share", "/export"), "pvc-1")))
                .hasMessageContaining("EEXIST");

        assertThat(machine.mounts).isEmpty();
    }

    /** No other code unmounts it. */
    @ParameterizedTest(name = "made before: {0}")
    @ValueSource(booleans = {false, true})
    void anExportThatIsLeftMountedLeavesADoubt(boolean refused) {
        onExport("files:/export", refused ? new String[] {"pvc-1"} : new String[0]);
        machine.whenUnmounting = mode -> {
            throw VolumeException.transientFailure("umount2: EIO");
        };

        VolumeException failure = failureOf(() -> provision(Map.of("server", "files", "share", "/export"), "pvc-1"));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("umount2: EIO");
    }

    private ProvisionResult provision(Map<String, String> parameters, String name) {
        StorageClass plain = Given.storageClass(parameters);
        StorageClass storageClass = new StorageClass(
                plain.metadata(),
                NfsPlugin.NAME,
                parameters,
                plain.reclaimPolicy(),
                List.of("soft"),
                false,
                plain.volumeBindingMode(),
                null,
                plain.unmodeled());
        return plugin.provisioner(storageClass)
                .orElseThrow()
                .provision(
                        new ProvisionRequest(
                                name,
                                Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY),
                                storageClass,
                                1 << 20,
                                0,
                                null),
                        TestContext.first());
    }

    private void delete(String name, String path) {
        NfsSource source = new NfsSource("files", path, false);
        plugin.deleter(spec(source)).orElseThrow().delete(new DeleteRequest(name, source), TestContext.first());
    }

    private void onExport(String source, String... paths) {
        TreeMap<Path, FileStatus> content = new TreeMap<>();
        for (String path : paths) {
            Path place = Path.of(path);
            content.put(place, new FileStatus(FileStatus.Type.FILE, 0, 0600));
            for (Path parent = place.getParent(); parent != null; parent = parent.getParent()) {
                content.put(parent, new FileStatus(FileStatus.Type.DIRECTORY, 0, 0700));
            }
        }
        machine.served.put(source, content);
    }
}
