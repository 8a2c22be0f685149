package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** hostPath, emptyDir, local, nfs and image on the real kernel. */
@Privileged
@ParameterizedClass
@ValueSource(booleans = {false, true})
class LocalFilesOnKernelTest {
    private final KernelNode node;
    private final RootedPath target;

    LocalFilesOnKernelTest(boolean oldKernel) {
        node = new KernelNode(oldKernel);
        target = node.target("pods/data");
    }

    @AfterEach
    void clean() {
        node.close();
    }

    @ParameterizedTest(name = "{0} as \"{1}\": {2}")
    @CsvSource({
        "dir,    '',                ''",
        "dir,    Directory,         ''",
        "dir,    File,              is a directory",
        "file,   File,              ''",
        "file,   Directory,         is a file",
        "socket, Socket,            ''",
        "socket, File,              is a socket",
        "link,   Directory,         ''",
        "broken, '',                does not exist",
        "none,   Directory,         does not exist",
        "new/a,  DirectoryOrCreate, ''",
        "new,    FileOrCreate,      ''",
        "/dev/null, CharDevice,     ''",
        "/dev/null, BlockDevice,    is a character device",
    })
    void showsAPodWhatLiesOnTheMachine(String name, String type, String refusal) throws IOException {
        Path data = Files.createDirectory(node.directory.resolve("data"));
        Files.createDirectory(data.resolve("dir"));
        Files.writeString(data.resolve("file"), "content");
        Files.createSymbolicLink(data.resolve("link"), data.resolve("dir"));
        Files.createSymbolicLink(data.resolve("broken"), data.resolve("nowhere"));
        // A path to a socket can have 107 bytes at most, so the test's own directory may be too deep for one.
        Path sockets = Files.createTempDirectory(Path.of("/tmp"), "s");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path shortPath = sockets.resolve("s");
            socket.bind(UnixDomainSocketAddress.of(shortPath));
            Files.createSymbolicLink(data.resolve("socket"), shortPath);
            HostPathPlugin plugin = node.ready(new HostPathPlugin());
            VolumeSpec spec = Given.inline(new HostPathSource(data.resolve(name).toString(), type));

            if (refusal.isEmpty()) {
                mount(plugin, spec, false);
                mount(plugin, spec, false);
                assertThat(node.mounts()).hasSize(1);
                assertThat(Files.isSameFile(target.absolute(), data.resolve(name)))
                        .isTrue();
                unmount(plugin);
                unmount(plugin);
                assertThat(Files.exists(data.resolve(name))).isTrue();
            } else {
                assertThatThrownBy(() -> mount(plugin, spec, false)).hasMessageContaining(refusal);
            }
            assertThat(node.mounts()).isEmpty();
            assertThat(Files.exists(target.absolute())).isFalse();
        } finally {
            Files.deleteIfExists(sockets.resolve("s"));
            Files.delete(sockets);
        }
    }

    /** As {@code /usr} of a machine whose system cannot be written. */
    @Test
    void showsAgainWhatLiesOnAFilesystemThatIsOnlyRead() throws IOException {
        Path system = Files.createDirectory(node.directory.resolve("system"));
        RootedPath place = RootedPath.of(node.directory, "system");
        node.kernel.mount(new FilesystemMount("tmpfs", "system", true, List.of()), place);
        HostPathPlugin plugin = node.ready(new HostPathPlugin());
        VolumeSpec spec = Given.inline(new HostPathSource(system.toString(), "Directory"));

        mount(plugin, spec, false);
        mount(plugin, spec, false);

        assertThat(node.mounts()).hasSize(2);
        unmount(plugin);
        node.kernel.unmount(place, UnmountMode.NORMAL);
    }

    @Test
    void showsTheImageThatATagLeadsToAndLetsNoPodChangeIt() throws IOException {
        Path images = Files.createDirectories(node.directory.resolve("images/registry.example"));
        Path digest = Files.createDirectory(images.resolve("files@sha256:" + "0a".repeat(32)));
        Files.writeString(digest.resolve("file"), "content");
        Files.createSymbolicLink(images.resolve("files:1"), digest.getFileName());
        Files.createSymbolicLink(images.resolve("out"), node.directory);
        ImagePlugin plugin = node.ready(ImagePlugin.ofDirectory(node.directory.resolve("images")));
        VolumeSpec spec = Given.inline(new OtherSource("image", Map.of("reference", "registry.example/files:1")));

        mount(plugin, spec, false);
        mount(plugin, spec, false);

        assertThat(node.mounts()).hasSize(1);
        assertThat(Files.readString(target.absolute().resolve("file"))).isEqualTo("content");
        assertThatThrownBy(() -> Files.writeString(target.absolute().resolve("file"), "changed"))
                .hasMessageContaining("Read-only");
        unmount(plugin);
        unmount(plugin);
        assertThat(node.mounts()).isEmpty();
        assertThat(digest.resolve("file")).exists();
        assertThatThrownBy(() -> mount(
                        plugin,
                        Given.inline(new OtherSource("image", Map.of("reference", "registry.example/out"))),
                        false))
                .hasMessageContaining("leads out of the directory of images");
        assertThat(node.mounts()).isEmpty();
    }

    @Test
    void letsNoLinkLeadOutOfTheAllowedPrefixes() throws IOException {
        Path allowed = Files.createDirectory(node.directory.resolve("allowed"));
        Path secret = Files.createDirectory(node.directory.resolve("secret"));
        Files.createSymbolicLink(allowed.resolve("out"), secret);
        HostPathPlugin plugin = node.ready(new HostPathPlugin(List.of(allowed)));

        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> mount(plugin, Given.inline(new HostPathSource(allowed + "/out", "")), false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("not allowed");
        mount(plugin, Given.inline(new HostPathSource(allowed.toString(), "")), false);
    }

    @Test
    void refusesAnAllowedPrefixThatPodsOfAnotherOneCouldExchange() throws IOException {
        Path outer = Files.createDirectory(node.directory.resolve("pods"));
        Path inner = Files.createDirectory(outer.resolve("shared"));

        VolumeException refusal = failureOf(() -> node.ready(new HostPathPlugin(List.of(outer, inner))));

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refusal).hasMessageContaining("below the allowed " + outer);
        assertThat(refusal.advice()).contains("leave it out");
    }

    /** A user who can write a directory above a prefix can name another directory so, at the latest before the next start. */
    @ParameterizedTest(name = "a directory above of mode {0}: {2}")
    @CsvSource({
        "rwxr-xr-x, false, ''",
        "rwxrwxr-x, false, can be written by other users (mode 775)",
        "rwxr-xrwx, false, can be written by other users (mode 757)",
        "rwxrwxrwx, true,  ''",
    })
    void refusesAnAllowedPrefixWhoseParentOthersCanWrite(String mode, boolean sticky, String refused)
            throws IOException {
        Path parent = Files.createDirectory(node.directory.resolve("parent"));
        Path prefix = Files.createDirectory(parent.resolve("prefix"));
        Path alias = Files.createSymbolicLink(node.directory.resolve("alias"), prefix);
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString(mode));
        if (sticky) {
            Files.setAttribute(parent, "unix:mode", 01777);
        }
        for (Path written : List.of(prefix, alias)) {
            if (refused.isEmpty()) {
                node.ready(new HostPathPlugin(List.of(written)));
            } else {
                VolumeException refusal = failureOf(() -> node.ready(new HostPathPlugin(List.of(written))));
                assertThat(refusal).hasMessageContaining(parent + " " + refused);
                assertThat(refusal.advice()).contains("only root");
            }
        }
    }

    @Test
    void refusesAnAllowedPrefixThatAnotherUserCouldExchangeAsItsOwner() throws IOException {
        Path parent = Files.createDirectory(node.directory.resolve("parent"));
        Path prefix = Files.createDirectory(parent.resolve("prefix"));
        Files.setAttribute(parent, "unix:uid", 4711);

        assertThat(failureOf(() -> node.ready(new HostPathPlugin(List.of(prefix)))))
                .hasMessageContaining("belongs to user 4711");
    }

    /** The attack: a pod that can write a parent names another directory as the prefix was named. */
    @Test
    void allowsThroughAnExchangedNameNothingThatItDidNotAllowWhenItStarted() throws IOException {
        Path parent = Files.createDirectory(node.directory.resolve("pods"));
        Path prefix = Files.createDirectory(parent.resolve("shared"));
        Path secret = Files.createDirectory(node.directory.resolve("secret"));
        Files.writeString(secret.resolve("key"), "secret");
        HostPathPlugin plugin = node.ready(new HostPathPlugin(List.of(prefix)));
        VolumeSpec spec = Given.inline(new HostPathSource(prefix.toString(), ""));

        Files.move(prefix, parent.resolve("aside"));
        Files.createSymbolicLink(prefix, secret);
        assertThat(failureOf(() -> mount(plugin, spec, false))).hasMessageContaining("not allowed");
        assertThat(failureOf(() -> mount(plugin, Given.inline(new HostPathSource(secret.toString(), "")), false)))
                .hasMessageContaining("not allowed");

        Files.delete(prefix);
        Files.move(secret, prefix);
        VolumeException failure = failureOf(() -> mount(plugin, spec, false));
        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure)
                .hasMessageContaining("no longer the same file or directory as at the start of this process");
        assertThat(node.mounts()).isEmpty();

        Files.move(prefix, secret);
        Files.move(parent.resolve("aside"), prefix);
        mount(plugin, spec, false);
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void allowsASingleFileAndTheOneThatTakesItsPlace() throws IOException {
        Path allowed = Files.writeString(node.directory.resolve("allowed"), "first");
        Path other = Files.writeString(node.directory.resolve("other"), "other");
        HostPathPlugin plugin = node.ready(new HostPathPlugin(List.of(allowed)));

        Files.delete(allowed);
        Files.writeString(allowed, "second");
        mount(plugin, Given.inline(new HostPathSource(allowed.toString(), "File")), false);
        assertThat(target.absolute()).hasContent("second");
        unmount(plugin);

        Files.delete(allowed);
        Files.createSymbolicLink(allowed, other);
        assertThat(failureOf(() -> mount(plugin, Given.inline(new HostPathSource(allowed.toString(), "File")), false)))
                .hasMessageContaining("not allowed");
    }

    @Test
    void showsAPodWhatTheMachineMountsLaterAndTakesAllOfItAway() throws IOException {
        Path data = Files.createDirectory(node.directory.resolve("data"));
        node.kernel.bind(
                data,
                RootedPath.of(node.directory, "data"),
                new BindOptions(false, false, BindOptions.Propagation.SHARED));
        Files.createDirectory(data.resolve("below"));
        HostPathPlugin plugin = node.ready(new HostPathPlugin());
        mount(plugin, Given.inline(new HostPathSource(data.toString(), "Directory")), false);

        node.kernel.mount(
                new FilesystemMount("tmpfs", "tmpfs", false, List.of()), RootedPath.of(node.directory, "data/below"));
        Files.writeString(data.resolve("below/note"), "hello");

        assertThat(target.absolute().resolve("below/note")).hasContent("hello");
        unmount(plugin);
        assertThat(node.kernel.table().below(target.absolute())).isEmpty();
        assertThat(data.resolve("below/note")).hasContent("hello");
    }

    /** As on a machine where a disk was mounted over a directory with other mounts in it. */
    @Test
    void takesAwayWhatOtherMountsOfTheMachineHide() throws IOException {
        Path data = Files.createDirectories(node.directory.resolve("data"));
        Files.createDirectories(data.resolve("a/b"));
        RootedPath hidden = RootedPath.of(node.directory, "data/a/b");
        RootedPath cover = RootedPath.of(node.directory, "data/a");
        node.kernel.mount(new FilesystemMount("tmpfs", "hidden", false, List.of()), hidden);
        node.kernel.mount(new FilesystemMount("tmpfs", "cover", false, List.of()), cover);
        HostPathPlugin plugin = node.ready(new HostPathPlugin());
        mount(plugin, Given.inline(new HostPathSource(data.toString(), "Directory")), false);
        assertThat(node.kernel.table().below(target.absolute())).hasSize(3);

        unmount(plugin);

        assertThat(node.kernel.table().below(target.absolute())).isEmpty();
        node.kernel.unmount(cover, UnmountMode.NORMAL);
        node.kernel.unmount(hidden, UnmountMode.NORMAL);
        node.assertNothingLeft();
    }

    @Test
    void showsReadOnlyWhatIsAskedForReadOnly() throws IOException {
        Path data = Files.createDirectory(node.directory.resolve("data"));
        HostPathPlugin plugin = node.ready(new HostPathPlugin());

        mount(plugin, Given.inline(new HostPathSource(data.toString(), "")), true);

        assertThatThrownBy(() -> Files.writeString(target.absolute().resolve("x"), "x"))
                .isInstanceOf(IOException.class);
        Files.writeString(data.resolve("x"), "x");
    }

    /** Old kernels cannot make what is mounted below read-only as well; without anything below there is nothing to refuse. */
    @Test
    void whatIsMountedBelowAReadOnlyPathIsReadOnlyTooOrThePathIsRefused() throws IOException {
        Path data = Files.createDirectory(node.directory.resolve("data"));
        Files.createDirectory(data.resolve("below"));
        RootedPath below = new RootedPath(node.directory, Path.of("data/below"));
        node.kernel.mount(new FilesystemMount("tmpfs", "below", false, List.of()), below);
        HostPathPlugin plugin = node.ready(new HostPathPlugin());
        VolumeSpec spec = Given.inline(new HostPathSource(data.toString(), ""));

        if (node.kernel.bindsReadOnlyRecursively()) {
            mount(plugin, spec, true);
            assertThatThrownBy(() -> Files.writeString(target.absolute().resolve("below/x"), "x"))
                    .isInstanceOf(IOException.class);
        } else {
            assertThatThrownBy(() -> mount(plugin, spec, true)).hasMessageContaining("mount_setattr");
        }
        Files.writeString(data.resolve("below/x"), "x");

        unmount(plugin);
        node.kernel.unmount(below, UnmountMode.NORMAL);
        node.assertNothingLeft();
    }

    @Test
    void emptiesADirectoryAndNeverWhatItsLinksPointTo() throws IOException {
        Path outside = Files.createDirectory(node.directory.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "data");
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        mount(plugin, Given.inline(new EmptyDirSource("", null)), false);
        Path pod = target.absolute();
        assertThat(Files.getPosixFilePermissions(pod)).isEqualTo(PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createDirectories(pod.resolve("a/b/c"));
        Files.writeString(pod.resolve("a/b/c/file"), "x");
        Files.createSymbolicLink(pod.resolve("a/link"), outside);

        unmount(plugin);
        unmount(plugin);

        assertThat(Files.exists(pod)).isFalse();
        assertThat(outside.resolve("precious")).hasContent("data");
    }

    @Test
    void removesTreesThatAreDeeperThanAPathCanBe() throws Exception {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        mount(plugin, Given.inline(new EmptyDirSource("", null)), false);
        String name = "d".repeat(200);
        // A shell, because only a process that changes its directory on the way gets so deep.
        Process digger = new ProcessBuilder(
                        "sh",
                        "-c",
                        "set -e; i=0; while [ $i -lt 40 ]; do mkdir " + name + "; cd -P " + name
                                + " 2>/dev/null; i=$((i+1)); done; : > bottom")
                .directory(target.absolute().toFile())
                .inheritIO()
                .start();
        assertThat(digger.waitFor()).isZero();
        Path bottom = target.absolute().resolve((name + "/").repeat(40) + "bottom");
        assertThatThrownBy(() -> Files.readAttributes(bottom, BasicFileAttributes.class))
                .hasMessageContaining("File name too long");

        unmount(plugin);

        assertThat(Files.exists(target.absolute())).isFalse();
    }

    @Test
    void removesNothingThatIsMountedInAnEmptyDir() throws IOException {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        mount(plugin, Given.inline(new EmptyDirSource("", null)), false);
        Path other = Files.createDirectory(node.directory.resolve("other"));
        Files.writeString(other.resolve("precious"), "data");
        Files.createDirectory(target.absolute().resolve("m"));
        node.kernel.bind(other, target.resolve("m"), BindOptions.readWrite());

        assertThatThrownBy(() -> unmount(plugin)).hasMessageContaining("mounted in it");

        assertThat(other.resolve("precious")).hasContent("data");
    }

    @Test
    void keepsMemoryOutOfTheSwapWhereTheKernelCan() throws Exception {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        mount(plugin, Given.inline(new EmptyDirSource("Memory", null)), false);

        String mounted = node.kernel
                .table()
                .at(target.absolute())
                .orElseThrow()
                .superOptions()
                .toString();
        assertThat(mounted.contains("noswap")).as(mounted).isEqualTo(kernelKnowsNoSwap());

        unmount(plugin);
        node.assertNothingLeft();
    }

    /** Asked by the system's own mount, in another place. */
    private boolean kernelKnowsNoSwap() throws Exception {
        Path place = Files.createDirectory(node.directory.resolve("noswap"));
        int code = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "noswap", "none", place.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .waitFor();
        if (code == 0) {
            node.kernel.unmount(new RootedPath(node.directory, Path.of("noswap")), UnmountMode.NORMAL);
        }
        return code == 0;
    }

    @Test
    void keepsMemoryWithinItsLimit() {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        VolumeSpec spec = Given.inline(new EmptyDirSource("Memory", Quantity.parse("1Mi")));
        mount(plugin, spec, false);
        mount(plugin, spec, false);

        assertThat(node.kernel.usage(target.absolute()).totalBytes()).isEqualTo(1 << 20);
        assertThatThrownBy(() -> Files.write(target.absolute().resolve("big"), new byte[2 << 20]))
                .isInstanceOf(IOException.class);

        unmount(plugin);
        unmount(plugin);
        node.assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({"'', 01777", "Memory, 01777", "'', 0750", "Memory, 0750"})
    void givesADirectoryTheModeThatThePodAsksForWhateverTheUmask(String medium, String mode) throws IOException {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        int bits = Integer.parseInt(mode, 8);

        mount(plugin, Given.inline(new EmptyDirSource(medium, null, bits)), false);

        assertThat((int) Files.getAttribute(target.absolute(), "unix:mode") & 07777)
                .isEqualTo(bits);
        unmount(plugin);
        node.assertNothingLeft();
    }

    @Test
    void memoryGrowsAndShrinksWhileItHoldsFilesAndNeverBelowThem() throws IOException {
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        mount(plugin, Given.inline(new EmptyDirSource("Memory", Quantity.parse("1Mi"))), false);
        Path file = target.absolute().resolve("file");
        Files.write(file, new byte[900 << 10]);

        mount(plugin, Given.inline(new EmptyDirSource("Memory", Quantity.parse("4Mi"))), false);
        Files.write(target.absolute().resolve("more"), new byte[2 << 20]);
        assertThat(node.kernel.usage(target.absolute()).totalBytes()).isEqualTo(4 << 20);

        assertThatThrownBy(
                        () -> mount(plugin, Given.inline(new EmptyDirSource("Memory", Quantity.parse("1Mi"))), false))
                .hasMessageContaining("keeps its size of 4194304 bytes")
                .hasMessageContaining("raise the limit");
        assertThat(node.kernel.usage(target.absolute()).totalBytes()).isEqualTo(4 << 20);

        Files.delete(target.absolute().resolve("more"));
        mount(plugin, Given.inline(new EmptyDirSource("Memory", Quantity.parse("1Mi"))), false);
        assertThat(node.kernel.usage(target.absolute()).totalBytes()).isEqualTo(1 << 20);
        assertThat(Files.size(file)).isEqualTo(900 << 10);

        mount(plugin, Given.inline(new EmptyDirSource("Memory", null)), false);
        assertThat(node.kernel.usage(target.absolute()).totalBytes()).isGreaterThan(4 << 20);
        unmount(plugin);
        node.assertNothingLeft();
    }

    /** A filesystem of huge pages can be mounted where none are set aside; only using one needs them. */
    @ParameterizedTest
    @CsvSource({
        "HugePages,     hugepages-2Mi, 2048kB,    4Mi, pagesize=2M,    size=4194304",
        "HugePages-2Mi, hugepages-2Mi, 2048kB,    4Mi, pagesize=2M,    size=4194304",
        "HugePages-1Gi, hugepages-1Gi, 1048576kB, 2Gi, pagesize=1024M, size=2147483648",
    })
    void givesHugePagesOfTheSizeThatThePodRequests(
            String medium, String resource, String pages, String amount, String pageSize, String size) {
        assumeTrue(node.kernel.abilities().filesystems().contains("hugetlbfs"), "a kernel with huge pages");
        assumeTrue(Files.isDirectory(Path.of("/sys/kernel/mm/hugepages/hugepages-" + pages)), "pages of " + pages);
        EmptyDirPlugin plugin = node.ready(new EmptyDirPlugin());
        VolumeSpec spec = Given.inline(new EmptyDirSource(medium, null));
        MountRequest request = new MountRequest(
                spec,
                Given.id(plugin, spec),
                Given.pod(Given.requesting(resource, amount)),
                "data",
                null,
                "",
                Map.of(),
                target,
                false,
                0,
                PluginState.none());
        for (int i = 0; i < 2; i++) {
            plugin.mounter(spec).orElseThrow().mount(request, TestContext.first());
        }

        assertThat(node.kernel.table().at(target.absolute())).hasValueSatisfying(mount -> {
            assertThat(mount.fsType()).isEqualTo("hugetlbfs");
            assertThat(mount.superOptions()).contains(pageSize, size);
        });

        unmount(plugin);
        unmount(plugin);
        node.assertNothingLeft();
    }

    @Test
    void bindsALocalDirectory() throws IOException {
        Path disk = Files.createDirectory(node.directory.resolve("disk"));
        LocalPlugin plugin = node.ready(new LocalPlugin());
        VolumeSpec spec = Given.volume(new LocalSource(disk.toString(), ""), VolumeMode.FILESYSTEM);
        VolumeId id = VolumeId.shared(LocalPlugin.NAME, plugin.volumeName(spec));
        RootedPath device = node.target("devices/mount");
        for (int i = 0; i < 2; i++) {
            plugin.deviceMounter(spec)
                    .orElseThrow()
                    .mountDevice(
                            new DeviceMountRequest(
                                    spec,
                                    id,
                                    "",
                                    Map.of(),
                                    device,
                                    null,
                                    new FakeLedger(new ArrayList<>()),
                                    PluginState.none()),
                            TestContext.first());
            plugin.mounter(spec).orElseThrow().mount(request(plugin, spec, device, false), TestContext.first());
        }

        Files.writeString(target.absolute().resolve("note"), "hello");

        assertThat(disk.resolve("note")).hasContent("hello");
        unmount(plugin);
        plugin.deviceUnmounter(id)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(id, "", device, PluginState.none()), TestContext.first());
        assertThat(node.mounts()).isEmpty();
        assertThat(disk.resolve("note")).hasContent("hello");
    }

    @Test
    void saysWithTheKernelsErrorThatItHasNoNfsClient() {
        assumeFalse(node.kernel.abilities().filesystems().contains("nfs"));
        NfsPlugin plugin = node.ready(new NfsPlugin());
        VolumeSpec spec = Given.volume(new NfsSource("files.example", "/export", false), VolumeMode.FILESYSTEM);

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> mount(plugin, spec, false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure)
                .hasMessageContaining("the running kernel has no NFS client")
                .hasMessageContaining("ENODEV");
        assertThat(failure.advice()).contains("module nfs");
        assertThat(Files.exists(target.absolute())).isFalse();
    }

    private void mount(VolumePlugin plugin, VolumeSpec spec, boolean readOnly) {
        plugin.mounter(spec).orElseThrow().mount(request(plugin, spec, null, readOnly), TestContext.first());
    }

    private MountRequest request(VolumePlugin plugin, VolumeSpec spec, @Nullable RootedPath device, boolean readOnly) {
        return new MountRequest(
                spec,
                Given.id(plugin, spec),
                Given.pod(),
                "data",
                device,
                "",
                Map.of(),
                target,
                readOnly,
                0,
                PluginState.none());
    }

    private void unmount(VolumePlugin plugin) {
        VolumeId id = VolumeId.ofPod(plugin.name(), "data", "uid-1");
        plugin.unmounter(id)
                .orElseThrow()
                .unmount(new UnmountRequest(id, "uid-1", "data", target, PluginState.none()), TestContext.first());
    }
}
