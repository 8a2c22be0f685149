package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmptyDirPluginTest {
    private static final Path TARGET = Given.POD_TARGET.absolute();

    private final FakeMachine machine = new FakeMachine();
    private final EmptyDirPlugin plugin = Given.ready(new EmptyDirPlugin(), machine);

    @Test
    void isADirectoryThatAnyUserOfThePodCanUse() {
        PluginState state = mount("", "", Given.pod(), 0, PluginState.none());

        assertThat(machine.at(TARGET)).isEqualTo(new FileStatus(FileStatus.Type.DIRECTORY, 0, 0777));
        assertThat(machine.mounts).isEmpty();
        assertThat(state.isEmpty()).isFalse();
    }

    @ParameterizedTest(name = "mode {1} of medium {0} -> {2}")
    @CsvSource({
        "'',        0750,  0750",
        "'',        01777, 01777",
        "'',        0,     0",
        "Memory,    01777, mode=01777 noswap",
        "Memory,    0,     mode=00 noswap",
        "HugePages, 0750,  pagesize=2097152 size=67108864 mode=0750",
    })
    void hasTheModeThatThePodAsksFor(String medium, String mode, String expected) {
        mount(source(medium, Integer.parseInt(mode, 8)), requestingPages("2Mi", "64Mi"));

        if (medium.isEmpty()) {
            assertThat(machine.at(TARGET).mode()).isEqualTo(Integer.parseInt(expected, 8));
        } else {
            assertThat(machine.mountOptions).containsExactly(expected.split(" "));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 02000, 04777})
    void refusesBitsThatAreNeitherPermissionsNorTheStickyBit(int mode) {
        VolumeException failure = failureOf(() -> plugin.volumeName(Given.inline(source("", mode))));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("between 0000 and 01777");
    }

    @Test
    void leavesTheModeThatThePodGaveItsDirectory() {
        PluginState ready = mount("", "", Given.pod(), 0, PluginState.none());
        machine.put(TARGET.toString(), FileStatus.Type.DIRECTORY);

        mount("", "", Given.pod(), 0, ready);

        assertThat(machine.at(TARGET).mode()).isEqualTo(0700);
    }

    @Test
    void makesTheDirectoryAgainIfItWentAway() {
        PluginState ready = mount("", "", Given.pod(), 0, PluginState.none());
        machine.nodes.remove(TARGET);

        mount("", "", Given.pod(), 0, ready);

        assertThat(machine.at(TARGET).mode()).isEqualTo(0777);
    }

    @Test
    void finishesADirectoryThatACrashLeftWithoutItsMode() {
        machine.createDirectory(Given.POD_TARGET, 0755);

        mount("", "", Given.pod(), 0, PluginState.none());

        assertThat(machine.at(TARGET).mode()).isEqualTo(0777);
    }

    /** A running pod, whose row was lost, would keep the old directory and lose what it writes there. */
    @Test
    void neverReplacesADirectoryThatAPodMayUse() {
        machine.put(TARGET.toString(), FileStatus.Type.DIRECTORY);
        machine.removalFails = new IllegalStateException("removed");

        mount("", "", Given.pod(), 0, PluginState.none());

        assertThat(machine.at(TARGET).mode()).isEqualTo(0777);
    }

    /** The row with the plugin's state may be lost in a crash, while the pod runs. */
    @Test
    void neverTakesADirectoryThatHasThePodsGroupForUnfinished() {
        machine.createDirectory(Given.POD_TARGET, 02777);
        machine.effects.clear();

        mount("", "", Given.pod(), 0, PluginState.none());

        assertThat(machine.at(TARGET).mode()).isEqualTo(02777);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void neverTakesADirectoryWithContentForUnfinished() {
        machine.createDirectory(Given.POD_TARGET, 0700);
        machine.put(TARGET + "/file", FileStatus.Type.FILE);

        mount("", "", Given.pod(), 0, PluginState.none());

        assertThat(machine.at(TARGET).mode()).isEqualTo(0700);
        assertThat(machine.fileNames()).containsExactly(TARGET + "/file");
    }

    @ParameterizedTest(name = "quotas {0}, held {1}, pod {2}, volume \"{3}\" -> {4}")
    @CsvSource({
        "true,  true,  0,    1Mi, 1048576",
        "true,  true,  2048, 1Mi, 2048",
        "true,  true,  2048, '',  2048",
        "true,  true,  0,    '',",
        "true,  true,  0,    0,",
        "true,  false, 2048, 1Mi,",
        "false, true,  2048, 1Mi,",
    })
    void holdsADirectoryToTheSmallestOfItsLimitsWhereTheDiskHasQuotas(
            boolean quotas, boolean held, long pod, String own, @Nullable Long expected) {
        machine.hasQuotas = quotas;
        EmptyDirPlugin limited = Given.ready(new EmptyDirPlugin(0, held), machine);

        mount(limited, "", own, Given.pod(), pod, PluginState.none());

        assertThat(machine.quotas.get(TARGET)).isEqualTo(expected);
    }

    @Test
    void takesTheQuotaAwayBeforeTheDirectoryGoes() {
        machine.hasQuotas = true;
        mount("", "1Mi", Given.pod(), 0, PluginState.none());

        unmount();

        assertThat(machine.nodes).doesNotContainKey(TARGET);
        assertThat(machine.quotas).isEmpty();
    }

    @Test
    void removesAllThatThePodLeft() {
        mount("", "", Given.pod(), 0, PluginState.none());
        machine.put(TARGET + "/a", FileStatus.Type.DIRECTORY);
        machine.put(TARGET + "/a/b", FileStatus.Type.DIRECTORY);
        machine.put(TARGET + "/a/b/file", FileStatus.Type.FILE);
        machine.put(TARGET + "/link", FileStatus.Type.LINK);
        machine.put(TARGET + "/fifo", FileStatus.Type.OTHER);
        machine.put("/outside", FileStatus.Type.FILE);

        unmount();
        unmount();

        assertThat(machine.nodes.keySet()).noneMatch(path -> path.startsWith(TARGET));
        assertThat(machine.fileNames()).containsExactly("/outside");
    }

    @Test
    void removesNothingWhileSomethingIsMountedInIt() {
        mount("", "", Given.pod(), 0, PluginState.none());
        machine.put(TARGET + "/file", FileStatus.Type.FILE);
        machine.put(TARGET + "/m", FileStatus.Type.DIRECTORY);
        machine.mounted(Path.of("/dev/sdb"), TARGET.resolve("m"), "ext4", false);

        VolumeException failure = failureOf(this::unmount);

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining(TARGET + "/m");
        assertThat(machine.fileNames()).containsExactly(TARGET + "/file");
    }

    @ParameterizedTest(name = "node {0} pod {1} volume \"{2}\" -> {3}")
    @CsvSource({
        "0,    0,    '',  mode=0777 noswap",
        "0,    0,    1Mi, mode=0777 size=1048576 noswap",
        "4096, 0,    1Mi, mode=0777 size=4096 noswap",
        "4096, 2048, 1Mi, mode=0777 size=2048 noswap",
        "4096, 0,    '',  mode=0777 size=4096 noswap",
        "0,    8192, '',  mode=0777 size=8192 noswap",
        "4096, 0,    0,   mode=0777 size=4096 noswap",
    })
    void givesMemoryTheSmallestOfItsLimits(long node, long pod, String own, String options) {
        EmptyDirPlugin limited = Given.ready(new EmptyDirPlugin(node), machine);

        mount(limited, "Memory", own, Given.pod(), pod, PluginState.none());

        assertThat(machine.effects).containsExactly("mount tmpfs");
        assertThat(machine.mountOptions).containsExactly(options.split(" "));
    }

    @Test
    void doesWithoutNoswapWhereTheKernelDoesNotKnowIt() {
        machine.mountRefused = filesystem -> filesystem.options().contains("noswap");

        mount("Memory", "1Mi", Given.pod(), 0, PluginState.none());

        assertThat(machine.mountOptions).containsExactly("mode=0777", "size=1048576");
    }

    @Test
    void tellsBothErrorsWhenMemoryCannotBeMountedAtAll() {
        machine.mountRefused = filesystem -> true;

        VolumeException failure = failureOf(() -> mount("Memory", "1Mi", Given.pod(), 0, PluginState.none()));

        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(machine.nodes).doesNotContainKey(TARGET);
    }

    @Test
    void mountsMemoryOnceAndTearsDownWhatIsReallyMounted() {
        mount("Memory", "", Given.pod(), 0, PluginState.none());
        mount("Memory", "", Given.pod(), 0, PluginState.none());
        assertThat(machine.effects).containsExactly("mount tmpfs");

        unmount();

        assertThat(machine.mounts).isEmpty();
        assertThat(machine.nodes).doesNotContainKey(TARGET);
    }

    @ParameterizedTest(name = "{0} then {1} -> {2}")
    @CsvSource({
        "1Mi, 2Mi, reconfigure size=2097152 noswap",
        "2Mi, 1Mi, reconfigure size=1048576 noswap",
        "1Mi, '',  reconfigure size=50% noswap",
        "'',  1Mi, reconfigure size=1048576 noswap",
        "1Mi, 1Mi, ''",
        "'',  '',  ''",
    })
    void memoryFollowsItsLimitWhileItIsMounted(String before, String after, String effect) {
        mount("Memory", before, Given.pod(), 0, PluginState.none());
        machine.effects.clear();

        mount("Memory", after, Given.pod(), 0, PluginState.none());

        assertThat(machine.effects).isEqualTo(effect.isEmpty() ? List.of() : List.of(effect));
        assertThat(plugin.requiresRemount(spec("Memory", after))).isTrue();
        assertThat(plugin.requiresRemount(spec("", after))).isFalse();
    }

    /** The kernel rounds up to whole pages and shows kilobytes. */
    @ParameterizedTest(name = "{0} bytes shown as {1}")
    @CsvSource({"1000000, 980k", "1000000, 1024k", "1048576, 1024k", "1048576, 1m"})
    void takesTheSizeThatTheKernelShowsForTheOneThatItWasGiven(long limit, String shown) {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounts.add(new MountEntry(
                5,
                1,
                "0:9",
                "/",
                TARGET,
                List.of("rw"),
                "tmpfs",
                "volume4j-empty-dir",
                List.of("rw", "size=" + shown)));

        mount("Memory", "", Given.pod(), limit, PluginState.none());

        assertThat(machine.effects).isEmpty();
    }

    @Test
    void memoryThatCannotGetItsLimitKeepsItsSizeAndSaysWhatToDo() {
        mount("Memory", "2Mi", Given.pod(), 0, PluginState.none());
        machine.mountRefused = filesystem -> true;

        VolumeException failure = failureOf(() -> mount("Memory", "1Mi", Given.pod(), 0, PluginState.none()));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("2097152 bytes").hasMessageContaining("raise the limit");
        assertThat(machine.mounts).hasSize(1);
    }

    @Test
    void unmountsNothingThatItNeverMade() {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounted(Path.of("/dev/sda1"), TARGET, "ext4", false);

        assertThat(failureOf(this::unmount).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failureOf(() -> mount("", "", Given.pod(), 0, PluginState.none()))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(machine.mounts).hasSize(1);
    }

    @Test
    void takesNoForeignMemoryForItsOwn() {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounted(Path.of("other"), TARGET, "tmpfs", false);

        assertThat(failureOf(() -> mount("Memory", "", Given.pod(), 0, PluginState.none()))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(failureOf(this::unmount).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.mounts).hasSize(1);
    }

    @ParameterizedTest(name = "{0} with {1} and {2} -> {3}")
    @CsvSource({
        "HugePages,      hugepages-2Mi=64Mi, '',                 pagesize=2097152 size=67108864 mode=0777",
        "HugePages,      hugepages-2Mi=64Mi, hugepages-2Mi=2Mi,  pagesize=2097152 size=69206016 mode=0777",
        "HugePages-1Gi,  hugepages-2Mi=64Mi, hugepages-1Gi=2Gi,  pagesize=1073741824 size=2147483648 mode=0777",
        "HugePages,      hugepages-64Ki=1Mi, '',                 pagesize=65536 size=1048576 mode=0777",
        "HugePages-32Mi, hugepages-32Mi=64Mi, hugepages-2Mi=2Mi, pagesize=33554432 size=67108864 mode=0777",
        "HugePages-16Gi, hugepages-16Gi=16Gi, '',                pagesize=17179869184 size=17179869184 mode=0777",
        "HugePages,      hugepages-2Mi=64Mi, hugepages-1Gi=2Gi,  FINAL several sizes: [2Mi; 1Gi]",
        "HugePages,      memory=1Gi,         '',                 FINAL no container of the pod requests huge pages",
        "HugePages-2Mi,  hugepages-1Gi=2Gi,  '',                 FINAL requests hugepages-2Mi",
    })
    void takesTheHugePagesThatThePodRequests(String medium, String first, String second, String expected) {
        Pod pod = second.isEmpty() ? Given.pod(container(first)) : Given.pod(container(first), container(second));

        if (expected.startsWith("FINAL ")) {
            VolumeException failure = failureOf(() -> mount(medium, "", pod, 0, PluginState.none()));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining(expected.substring(6).replace(';', ','));
        } else {
            mount(medium, "", pod, 0, PluginState.none());
            assertThat(machine.effects).containsExactly("mount hugetlbfs");
            assertThat(machine.mountOptions).containsExactly(expected.split(" "));
        }
    }

    @ParameterizedTest(name = "pages {0} volume \"{1}\" -> {2}")
    @CsvSource({"64Mi, 16Mi, 16777216", "64Mi, 128Mi, 67108864", "64Mi, 0, 67108864"})
    void givesHugePagesTheSmallestOfTheirLimits(String pages, String own, long expected) {
        mount("HugePages-2Mi", own, requestingPages("2Mi", pages), 0, PluginState.none());

        assertThat(machine.mountOptions).contains("size=" + expected);
    }

    @Test
    void countsTheHugePagesOfSidecarsWithThoseOfTheContainers() {
        Pod plain = Given.pod(container("hugepages-2Mi=64Mi"));
        Container sidecar = container("hugepages-2Mi=32Mi").toBuilder()
                .restartPolicy("Always")
                .build();
        Pod.Spec spec = plain.spec().toBuilder()
                .initContainers(List.of(sidecar, container("hugepages-2Mi=16Mi")))
                .build();

        mount(
                "HugePages",
                "",
                new Pod(plain.metadata(), spec, plain.status(), plain.unmodeled()),
                0,
                PluginState.none());

        assertThat(machine.mountOptions).contains("size=" + (96 << 20));
    }

    /** The sizes of x86, arm64, riscv64 and ppc64, as {@code hugetlbfs_show_options} of the kernel writes them. */
    @ParameterizedTest(name = "{0} shown as {1}, but not {2}")
    @CsvSource({
        "64Ki, 64K, 2Mi",
        "1Mi, 1M, 16Gi",
        "2Mi, 2M, 1Gi",
        "32Mi, 32M, 2Mi",
        "1Gi, 1024M, 2Mi",
        "16Gi, 16384M, 1Gi"
    })
    void takesThePagesThatAreMountedIfTheyHaveTheSizeAndNoOthers(String size, String shown, String other) {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounts.add(new MountEntry(
                5,
                1,
                "0:9",
                "/",
                TARGET,
                List.of("rw"),
                "hugetlbfs",
                "volume4j-empty-dir",
                List.of("rw", "pagesize=" + shown)));

        mount("HugePages-" + size, "", requestingPages(size), 0, PluginState.none());
        assertThat(failureOf(() -> mount("HugePages-" + other, "", requestingPages(other), 0, PluginState.none())))
                .hasMessageContaining(shown + " where " + other);
        assertThat(machine.effects).isEmpty();
    }

    private static Pod requestingPages(String size) {
        return requestingPages(size, "16Gi");
    }

    private static Pod requestingPages(String size, String amount) {
        return Given.pod(container("hugepages-" + size + "=" + amount));
    }

    private static EmptyDirSource source(String medium, int mode) {
        return new EmptyDirSource(medium, null, mode);
    }

    private void mount(EmptyDirSource source, Pod pod) {
        VolumeSpec spec = Given.inline(source);
        plugin.mounter(spec)
                .orElseThrow()
                .mount(Given.mount(plugin, spec, pod, null, false, 0, PluginState.none()), TestContext.first());
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "HugePages-", "HugePages-3Mi", "HugePages-x", "Disk"})
    void refusesUnknownMedia(String medium) {
        assertThat(failureOf(() -> plugin.volumeName(spec(medium, ""))).kind()).isEqualTo(FailureKind.FINAL);
    }

    private PluginState mount(String medium, String sizeLimit, Pod pod, long podLimit, PluginState state) {
        return mount(plugin, medium, sizeLimit, pod, podLimit, state);
    }

    private static PluginState mount(
            EmptyDirPlugin plugin, String medium, String sizeLimit, Pod pod, long podLimit, PluginState state) {
        VolumeSpec spec = spec(medium, sizeLimit);
        return plugin.mounter(spec)
                .orElseThrow()
                .mount(Given.mount(plugin, spec, pod, null, false, podLimit, state), TestContext.first())
                .state();
    }

    private void unmount() {
        plugin.unmounter(VolumeId.ofPod(EmptyDirPlugin.NAME, "data", "uid-1"))
                .orElseThrow()
                .unmount(Given.unmount(plugin), TestContext.first());
    }

    private static Container container(String request) {
        return Given.requesting(request.split("=")[0], request.split("=")[1]);
    }

    private static VolumeSpec spec(String medium, String sizeLimit) {
        return Given.inline(new EmptyDirSource(medium, sizeLimit.isEmpty() ? null : Quantity.parse(sizeLimit)));
    }
}
