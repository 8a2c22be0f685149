package io.volume4j.core.linux.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On the machine's own kernel. No test sleeps: the other side acts when it has seen that the wait began. */
class DeviceNodeWatchTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Machine machine = new Machine();
    private final ManualContext context = new ManualContext();
    private final Path names = machine.directory("dev/disk/by-path");
    /** The wait has looked twice: before it watched, and while it watches. */
    private final CountDownLatch watching = new CountDownLatch(2);

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void seesWhatIsThereAlreadyWithoutWatchingAnything() {
        Path link = machine.link("dev/disk/by-path/ip-10.0.0.1:3260-lun-0", "../../sdb");
        AtomicInteger looks = new AtomicInteger();

        Optional<Path> seen = machine.devices.await(List.of(Path.of("/no/such")), LONG, context, () -> {
            looks.incrementAndGet();
            return Optional.of(link);
        });

        assertThat(seen).contains(link);
        assertThat(looks).hasValue(1);
    }

    @Test
    void wakesWhenADeviceGetsItsName() throws Exception {
        Path device = machine.loop("disk.img", 1 << 20);
        Path name = names.resolve("ip-10.0.0.1:3260-iscsi-iqn.2003-01.org.example:a-lun-0");

        CompletableFuture<Optional<Path>> wait = awaiting(name);
        Files.createSymbolicLink(name, device);

        assertThat(wait.get(1, TimeUnit.MINUTES)).contains(device);
    }

    @Test
    void wakesWhenANameIsMovedToItsPlaceAsUdevDoes() throws Exception {
        Path device = machine.loop("disk.img", 1 << 20);
        Path name = names.resolve("fc-0x500a-lun-1");
        Path made = Files.createSymbolicLink(machine.path("dev/.made"), device);

        CompletableFuture<Optional<Path>> wait = awaiting(name);
        Files.move(made, name, StandardCopyOption.ATOMIC_MOVE);

        assertThat(wait.get(1, TimeUnit.MINUTES)).contains(device);
    }

    @Test
    void wakesInADirectoryThatComesLater() throws Exception {
        Path device = machine.loop("disk.img", 1 << 20);
        Path name = machine.path("dev/disk/by-id/scsi-3600/part");

        CompletableFuture<Optional<Path>> wait = awaiting(name);
        Files.createDirectories(name.getParent());
        Files.createSymbolicLink(name, device);

        assertThat(wait.get(1, TimeUnit.MINUTES)).contains(device);
    }

    @Test
    void wakesInADirectoryThatWentAndCameAgain() throws Exception {
        Path device = machine.loop("disk.img", 1 << 20);
        Path name = names.resolve("fc-0x500a-lun-1");

        CompletableFuture<Optional<Path>> wait = awaiting(name);
        Files.delete(names);
        Files.createDirectory(names);
        Files.createSymbolicLink(name, device);

        assertThat(wait.get(1, TimeUnit.MINUTES)).contains(device);
    }

    @Test
    void endsWhenTheCallIsCancelled() throws Exception {
        CompletableFuture<Optional<Path>> wait = awaiting(names.resolve("never"));
        context.cancel();

        assertThat(wait.get(1, TimeUnit.MINUTES)).isEmpty();
    }

    @Test
    void endsWithItsOwnTimeThoughTheCallHasMore() {
        assertThat(machine.devices.await(List.of(names), Duration.ofMillis(20), context, this::nothing))
                .isEmpty();
    }

    @Test
    void endsWithTheCallsTimeThoughItHasMore() {
        ManualContext passing = new ManualContext().passing(Duration.ofSeconds(61));

        assertThat(machine.devices.await(List.of(names), LONG.multipliedBy(9), passing, this::nothing))
                .isEmpty();
    }

    @Test
    void givesOnWhatTheLookFailsWith() {
        Supplier<Optional<Path>> failing = () -> {
            throw VolumeException.transientFailure("cannot look");
        };

        assertThatThrownBy(() -> machine.devices.await(List.of(names), LONG, context, failing))
                .hasMessage("cannot look");
    }

    /** What looks at the real thing: a name that leads to a block device. */
    private CompletableFuture<Optional<Path>> awaiting(Path name) throws InterruptedException {
        CompletableFuture<Optional<Path>> wait = CompletableFuture.supplyAsync(
                () -> machine.devices.await(List.of(name.getParent()), LONG, context, () -> {
                    Optional<Path> device = device(name);
                    watching.countDown();
                    return device;
                }));
        assertThat(watching.await(1, TimeUnit.MINUTES)).isTrue();
        return wait;
    }

    private Optional<Path> device(Path name) {
        return machine.files
                .resolve(name)
                .filter(place -> machine.files
                        .status(RootedPath.of(Path.of("/"), place.toString().substring(1)))
                        .filter(status -> status.type() == FileStatus.Type.BLOCK_DEVICE)
                        .isPresent());
    }

    private Optional<Path> nothing() {
        return Optional.empty();
    }
}
