package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LocalPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mkfs that takes too long is killed, at its own limit or at the call's deadline, whichever comes first. What it left on the
 * device is no obstacle: the format that was begun is begun again, and ends.
 */
@ExtendWith(RealKernel.class)
class KilledFormatOnKernelTest {
    private static final Duration SHORT = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofMinutes(20);

    private static final String OBJECTS = """
            kind: PersistentVolume
            apiVersion: v1
            metadata: {name: pv}
            spec:
              capacity: {storage: 32Mi}
              accessModes: [ReadWriteOnce]
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data, uid: claim-uid}
              local: {path: %s, fsType: ext4}
            status: {phase: Bound}
            ---
            kind: PersistentVolumeClaim
            apiVersion: v1
            metadata: {namespace: default, name: data, uid: claim-uid}
            spec: {volumeName: pv, accessModes: [ReadWriteOnce], resources: {requests: {storage: 32Mi}}}
            status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 32Mi}}
            ---
            kind: Pod
            apiVersion: v1
            metadata: {namespace: default, name: p, uid: pod-uid}
            spec:
              nodeName: n1
              containers:
              - name: app
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - name: data
                persistentVolumeClaim: {claimName: data}
            """;

    private final LinuxFixture machine = new LinuxFixture();

    @TempDir
    Path directory = Path.of("");

    private Path root = Path.of("");
    private Path tools = Path.of("");

    @BeforeEach
    void makeTool() throws IOException {
        directory = directory.toRealPath();
        root = directory.resolve("root");
        tools = Files.createDirectory(directory.resolve("tools"));
        Path mkfs = machine.backend().programs().find("mkfs.ext4").orElseThrow();
        // The first one writes something, as a mkfs does that is killed half-way, and never ends.
        Path tool = Files.writeString(tools.resolve("mkfs.ext4"), """
                #!/bin/sh
                echo run >> '%1$s/runs'
                for last; do :; done
                echo $$ > '%1$s/pid.'$$
                if ln '%1$s/pid.'$$ '%1$s/pid' 2>/dev/null; then
                  head -c 65536 /dev/zero | tr '\\0' x > "$last"
                  exec sleep 100000
                fi
                exec '%2$s' "$@"
                """.formatted(directory, mkfs));
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void leaveNothing() {
        List<MountEntry> mounts = new ArrayList<>(machine.backend().table().below(root));
        Collections.reverse(mounts);
        for (MountEntry mount : mounts) {
            machine.backend()
                    .unmount(
                            RootedPath.of(
                                    root, root.relativize(mount.mountPoint()).toString()),
                            UnmountMode.LAZY);
        }
        machine.close();
    }

    @Test
    void aFormatKilledAtItsLimitIsBegunAgain() throws Exception {
        isBegunAgain(SHORT, LONG);
    }

    @Test
    void aFormatKilledAtTheDeadlineOfItsCallIsBegunAgain() throws Exception {
        isBegunAgain(LONG, SHORT);
    }

    private void isBegunAgain(Duration formatLimit, Duration deviceDeadline) throws Exception {
        Path device = machine.disk("disk", 32 << 20);
        List<Path> directories = new ArrayList<>(List.of(tools));
        directories.addAll(LinuxMountBackend.Options.defaults().toolDirectories());
        LinuxMountBackend.Options options = LinuxMountBackend.Options.defaults()
                .withToolDirectories(directories)
                .withFormatLimit(formatLimit);
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("objects", OBJECTS.formatted(device)).forEach(cluster::apply);
        try (LinuxMountBackend backend = LinuxMountBackend.create(options);
                VolumeManager manager = VolumeManager.builder()
                        .cluster(cluster)
                        .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                        .nodeName("n1")
                                        .mounts(backend)
                                        .build())
                                .plugin(new LocalPlugin())
                                .build())
                        .attachMode(AttachMode.SELF)
                        .deviceDeadline(deviceDeadline)
                        .build()) {
            manager.start();
            Path mounted = manager.whenMounted("pod-uid")
                    .get(3, TimeUnit.MINUTES)
                    .volumes()
                    .values()
                    .iterator()
                    .next()
                    .path();

            assertThat(backend.table().at(mounted).map(MountEntry::fsType)).contains("ext4");
            assertThat(Files.readAllLines(directory.resolve("runs"))).hasSizeGreaterThanOrEqualTo(2);
            long killed =
                    Long.parseLong(Files.readString(directory.resolve("pid")).trim());
            assertThat(ProcessHandle.of(killed).filter(ProcessHandle::isAlive)).isEmpty();

            cluster.remove(ObjectKey.pod("default", "p"));
            // The kernel's table is empty before the device is free: only the call's end says that it is.
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> manager.present().get(1, TimeUnit.MINUTES).isEmpty());
            assertThat(backend.table().below(root)).isEmpty();
        }
    }
}
