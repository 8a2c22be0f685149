package io.volume4j.inmemory.contract;

import static io.volume4j.inmemory.contract.Refusals.assertRefused;
import static io.volume4j.inmemory.contract.VolumeLife.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every plugin. volume4j may lose answers, crash and restart, so each call must be idempotent. A
 * teardown of something that does not exist must succeed, and must not need remembered state. A plugin must not
 * change anything that is not its own. To test a plugin, extend this class and return it from {@link #subject()}.
 * Tests of capabilities that the plugin does not have are skipped.
 *
 * @since 0.1.0
 */
public abstract class PluginContract {
    private static final String POD = VolumeLife.FIRST_POD;
    private static final String OTHER_POD = "pod-uid-2";

    private static final List<String> ODD_NAMES = List.of(
            "pvc-..",
            "pvc-../../escape",
            "pvc-/etc/passwd",
            "pvc-a b",
            "pvc-a\nb",
            "pvc--rf",
            "pvc-$(id)",
            "pvc-\u00fc",
            "..",
            "-rf");

    private @Nullable PluginUnderTest current;

    /** For the extending class. */
    protected PluginContract() {}

    /** The plugin to test, and its machine. Called once before each test. */
    protected abstract PluginUnderTest subject();

    @BeforeEach
    final void makeRoot() {
        current = subject();
        backend().files().createRoot(root());
    }

    @AfterEach
    final void leaveNothing() {
        try (BackendFixture closing = machine()) {
            MachineCleaner cleaner = new MachineCleaner(closing.backend(), closing.root());
            List<String> left = cleaner.leaks();
            cleaner.clean();
            assertEquals(List.of(), left, "left on the machine");
            examined().verifyNothingIsLeft();
        }
    }

    @Test
    void knowsItsVolumesByOneNameEach() {
        VolumeLife volume = life("pvc-1").create();

        assertTrue(volume.plugin().supports(volume.spec()));
        String name = volume.plugin().volumeName(volume.spec());
        assertEquals(name, volume.plugin().volumeName(volume.spec()));
        assertEquals(name, volume.restart().plugin().volumeName(volume.spec()));
        assertNotEquals(name, otherName());
        volume.delete();
    }

    private String otherName() {
        VolumeLife other = life("pvc-2").create();
        String name = other.plugin().volumeName(other.spec());
        other.delete();
        return name;
    }

    @Test
    void provisioningTwiceUnderOneNameMakesOneVolume() {
        VolumeLife volume = life("pvc-1");
        assumeTrue(volume.provisions(), "the plugin does not provision");

        ProvisionResult first = volume.provision();
        ProvisionResult again = volume.restart().provision();

        assertEquals(first.source(), again.source());
        assertEquals(first.capacityBytes(), again.capacityBytes());
        assertTrue(first.capacityBytes() >= examined().bytes(), "smaller than asked for");
        volume.delete();
    }

    /** The call comes again while a pod uses the volume, and also after that. */
    @Test
    void provisioningAgainKeepsTheContent() {
        assumeTrue(examined().keepsContent(), "the plugin keeps nothing");
        VolumeLife volume = life("pvc-1");
        assumeTrue(volume.provisions(), "the plugin does not provision");
        volume.setUp(POD);
        machine().write(file(volume, POD), text("kept"));

        assertEquals(volume.spec().source(), life("pvc-1").provision().source());

        assertKept(volume, POD);
        volume.tearDown(POD);
        volume.restart().setUp(OTHER_POD);
        assertKept(volume, OTHER_POD);
        volume.tearDown(OTHER_POD);
        volume.delete();
    }

    private void assertKept(VolumeLife volume, String podUid) {
        String emptied = "the volume was emptied by a repeated provision";
        byte[] content = assertDoesNotThrow(() -> machine().read(file(volume, podUid)), emptied);
        assertArrayEquals(text("kept"), content, emptied);
    }

    @Test
    void anotherNameIsAnotherVolume() {
        VolumeLife volume = life("pvc-1");
        assumeTrue(volume.provisions(), "the plugin does not provision");
        VolumeLife other = life("pvc-2");

        assertNotEquals(volume.provision().source(), other.provision().source());

        volume.delete();
        other.attach();
        other.detach();
        other.delete();
    }

    @Test
    void deletingTwiceIsSuccess() {
        VolumeLife volume = life("pvc-1").create();
        volume.delete();
        volume.delete();
        volume.restart().delete();
    }

    /** The plugin may refuse the deleted volume or set up an empty one. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void noPodGetsTheContentOfADeletedVolume() {
        assumeTrue(examined().keepsContent(), "the plugin keeps nothing");
        VolumeLife volume = life("pvc-1");
        assumeTrue(volume.provisions(), "the plugin does not provision");
        volume.setUp(POD);
        boolean deletes = volume.plugin().deleter(volume.spec()).isPresent();
        machine().write(file(volume, POD), text("deleted"));
        volume.tearDown(POD);
        assumeTrue(deletes, "the plugin does not delete");
        volume.delete();

        volume.restart();
        try {
            volume.attach();
            volume.stage();
            volume.publish(OTHER_POD, false);
        } catch (VolumeException refused) {
            volume.unpublish(OTHER_POD);
            volume.unstage();
            tolerated(volume::detach);
            volume.delete();
            return;
        }
        assertThrows(
                RuntimeException.class,
                () -> machine().read(file(volume, OTHER_POD)),
                "the content of the deleted volume is still there");
        volume.tearDown(OTHER_POD);
        volume.delete();
    }

    @Test
    void attachingTwiceGivesTheSameDevice() {
        VolumeLife volume = life("pvc-1").create();

        String device = volume.attach();

        assertEquals(device, volume.attach());
        assertEquals(device, volume.restart().attach());
        volume.detach();
        volume.delete();
    }

    @Test
    void detachingTwiceOrWhatWasNeverAttachedIsSuccess() {
        VolumeLife volume = life("pvc-1").create();
        volume.detach();
        volume.attach();
        volume.detach();
        volume.detach();
        volume.restart().detach();
        volume.delete();
    }

    @Test
    void mountingTheDeviceTwiceMountsItOnce() {
        VolumeLife volume = life("pvc-1").create();
        require(volume.stages(), "the plugin mounts no devices", volume::delete);
        volume.attach();

        volume.stage();
        List<MountEntry> once = below(volume.stagingPath());
        volume.stage();
        volume.restart().attach();
        volume.stage();

        assertEquals(ids(once), ids(below(volume.stagingPath())));
        volume.unstage();
        volume.detach();
        volume.delete();
    }

    @Test
    void unmountingTheDeviceTwiceOrWithoutAMountIsSuccessAndLeavesNoPlace() {
        VolumeLife volume = life("pvc-1").create();
        volume.unstage();
        volume.attach();
        volume.stage();

        volume.unstage();
        volume.unstage();
        volume.restart().unstage();

        assertEquals(List.of(), below(volume.stagingPath()));
        assertTrue(backend().files().status(volume.stagingPath()).isEmpty(), "the mount point is left");
        volume.detach();
        volume.delete();
    }

    @Test
    void mountingForAPodTwiceMountsItOnce() {
        VolumeLife volume = life("pvc-1").setUp(POD);
        List<MountEntry> once = below(volume.publishPath(POD));

        volume.publish(POD, false);

        assertEquals(ids(once), ids(below(volume.publishPath(POD))));
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void unmountingFromAPodTwiceOrWithoutAMountIsSuccessAndLeavesNoTrace() {
        VolumeLife volume = life("pvc-1").create();
        volume.unpublish(POD);
        volume.attach();
        volume.stage();
        volume.publish(POD, false);

        volume.unpublish(POD);
        volume.unpublish(POD);

        assertEquals(List.of(), below(volume.publishPath(POD)));
        assertTrue(backend().files().status(volume.publishPath(POD)).isEmpty(), "the target is left");
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void teardownNeedsNothingButNames() {
        VolumeLife volume = life("pvc-1").setUp(POD);

        volume.restart().unpublish(POD);
        volume.restart().unstage();
        volume.restart().detach();

        assertEquals(List.of(), backend().table().below(root()));
        volume.restart().delete();
    }

    @Test
    void whatOnePodWritesTheOtherReads() {
        VolumeLife volume = life("pvc-1").setUp(POD);
        requireShared(volume);
        volume.publish(OTHER_POD, false);

        machine().write(file(volume, POD), text("shared"));

        assertArrayEquals(text("shared"), machine().read(file(volume, OTHER_POD)));
        volume.unpublish(OTHER_POD);
        assertArrayEquals(text("shared"), machine().read(file(volume, POD)));
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void whatIsWrittenIsThereWhenTheVolumeComesBack() {
        assumeTrue(examined().keepsContent(), "the plugin keeps nothing");
        VolumeLife volume = life("pvc-1").setUp(POD);
        machine().write(file(volume, POD), text("kept"));
        volume.tearDown(POD);

        volume.restart().attach();
        volume.stage();
        volume.publish(OTHER_POD, false);

        assertArrayEquals(text("kept"), machine().read(file(volume, OTHER_POD)));
        volume.tearDown(OTHER_POD);
        volume.delete();
    }

    @Test
    void aReadOnlyPodReadsAndDoesNotWriteAndTheOthersDo() {
        VolumeLife volume = life("pvc-1").setUp(POD);
        requireShared(volume);
        volume.publish(OTHER_POD, true);
        machine().write(file(volume, POD), text("written"));

        assertArrayEquals(text("written"), machine().read(file(volume, OTHER_POD)));
        assertThrows(RuntimeException.class, () -> machine().write(file(volume, OTHER_POD), text("must not be")));
        assertArrayEquals(text("written"), machine().read(file(volume, POD)));
        volume.unpublish(OTHER_POD);
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void aPodThatAloneHasTheVolumeReadOnlyDoesNotWrite() {
        assumeFalse(examined().targetIsTheVolume(), "the target is the volume");
        VolumeLife volume = life("pvc-1").setUp(POD);
        if (examined().keepsContent()) {
            machine().write(file(volume, POD), text("written"));
        }
        volume.unpublish(POD);

        volume.publish(POD, true);

        assertThrows(
                RuntimeException.class,
                () -> machine().write(file(volume, POD), text("must not be")),
                "a pod wrote to a volume that it has read-only");
        if (examined().keepsContent()) {
            assertArrayEquals(text("written"), machine().read(file(volume, POD)));
        }
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void filesThatAreNotTheVolumesAreLeftAloneAtTheTarget() {
        assumeFalse(examined().targetIsTheVolume(), "the target is the volume");
        VolumeLife volume = life("pvc-1").create();
        RootedPath target = volume.publishPath(POD);
        backend().files().createDirectory(target, 0750);
        machine().write(target.absolute().resolve("precious"), text("foreign"));

        tolerated(() -> volume.unpublish(POD));

        assertArrayEquals(text("foreign"), machine().read(target.absolute().resolve("precious")));
        volume.delete();
    }

    @Test
    void filesThatAreNotTheVolumesAreLeftAloneAtTheDeviceMount() {
        VolumeLife volume = life("pvc-1").create();
        require(volume.stages(), "the plugin mounts no devices", volume::delete);
        RootedPath target = volume.stagingPath();
        backend().files().createDirectory(target, 0750);
        machine().write(target.absolute().resolve("precious"), text("foreign"));

        tolerated(volume::unstage);

        assertArrayEquals(text("foreign"), machine().read(target.absolute().resolve("precious")));
        volume.delete();
    }

    @Test
    void nothingIsMountedOverAForeignMountAtTheTarget() {
        VolumeLife volume = life("pvc-1").create();
        volume.attach();
        volume.stage();
        RootedPath target = volume.publishPath(POD);
        backend().files().createDirectory(target, 0750);
        backend().mount(new FilesystemMount("tmpfs", "other", false, List.of()), target);

        assertRefused(() -> volume.publish(POD, false));

        assertEquals(
                Optional.of("other"), backend().table().at(target.absolute()).map(MountEntry::source));
        backend().unmount(target, UnmountMode.NORMAL);
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void oddNamesAreRefusedOrWorkAndLeadNowhereElse() {
        Path above = Objects.requireNonNull(root().getParent());
        assumeTrue(life("pvc-1").provisions(), "the plugin does not provision");
        List<String> before = backend().files().listRoot(above);
        for (String name : ODD_NAMES) {
            VolumeLife volume = life(name);
            try {
                volume.setUp(POD);
                assertOnlyPluginsAndPods();
                volume.tearDown(POD);
                volume.delete();
            } catch (VolumeException refused) {
                assertEquals(FailureKind.FINAL, refused.kind(), () -> name + ": " + refused.getMessage());
            }
            assertEquals(before, backend().files().listRoot(above), name);
            assertOnlyPluginsAndPods();
        }
    }

    @Test
    void theBackendIsSeenAsItIs() {
        VolumeLife volume = life("pvc-1").create();
        boolean seen = volume.plugin().observer().isPresent()
                && volume.plugin().attacher(volume.spec()).isPresent();
        require(seen, "the plugin observes no attachments", volume::delete);
        volume.attach();
        assertEquals(List.of(Observation.PRESENT), observe(volume));

        volume.detach();

        assertEquals(List.of(examined().seesAbsence() ? Observation.ABSENT : Observation.UNKNOWN), observe(volume));
        volume.delete();
    }

    @Test
    void expandingTwiceGrowsOnceAndNeverShrinks() {
        assumeTrue(machine().growsMounted(), "this process may not grow what is mounted");
        VolumeLife volume = life("pvc-1").create();
        require(volume.plugin().expander(volume.spec()).isPresent(), "the plugin does not expand", volume::delete);
        volume.setUp(POD);
        long wanted = 2 * examined().bytes();

        long grown = volume.expand(wanted);
        assertTrue(grown >= wanted, () -> "asked for " + wanted + ", got " + grown);
        assertEquals(grown, volume.expand(wanted));
        if (volume.plugin().nodeExpander(volume.spec()).isPresent()) {
            assertEquals(grown, volume.expandOnNode());
            assertEquals(grown, volume.expandOnNode());
        }
        assertTrue(volume.expand(examined().bytes()) >= grown, "a smaller wish made it smaller");
        volume.tearDown(POD);
        volume.delete();
    }

    @Test
    void aRawDeviceIsMappedAndUnmappedHoweverOftenItIsAsked() {
        assumeTrue(examined().canBeRaw());
        VolumeLife volume = life("pvc-1").create().asBlock();
        require(volume.plugin().blockMapper(volume.spec()).isPresent(), "the plugin maps no devices", volume::delete);
        volume.attach();

        String device = volume.mapDevice();
        assertEquals(device, volume.mapDevice());
        assertEquals(volume.mapPod(POD, device), volume.mapPod(POD, device));
        volume.unmap(POD);
        volume.unmap(POD);

        volume.detach();
        volume.delete();
    }

    @Test
    void aProcessThatDiesBetweenAnyTwoEffectsIsCarriedOnWithByTheNext() {
        CrashedLife.livesThroughEveryCrash(examined(), CrashedLife.Heir.CARRIES_ON);
    }

    @Test
    void whatAProcessLeavesThatDiesBetweenAnyTwoEffectsIsTakenAwayByTheNext() {
        CrashedLife.livesThroughEveryCrash(examined(), CrashedLife.Heir.GIVES_UP);
    }

    @Test
    void anInvalidOrMissingVolumeIsAFailureThatLeavesNothing() {
        for (VolumeSource missing : examined().missing()) {
            VolumeLife volume = life("pvc-1").with(missing);
            VolumeException failure = assertThrows(VolumeException.class, () -> {
                volume.attach();
                volume.stage();
                volume.publish(POD, false);
            });
            if (examined().failuresAreCertain()) {
                assertNotEquals(FailureKind.UNCERTAIN, failure.kind(), failure::getMessage);
            }
            volume.tearDown(POD);
            assertTrue(backend().files().status(volume.publishPath(POD)).isEmpty(), "the target is left");
        }
    }

    private List<Observation> observe(VolumeLife volume) {
        return volume.plugin()
                .observer()
                .orElseThrow()
                .attachments(List.of(new Query(volume.id(), VolumeLife.NODE)), volume.context());
    }

    private static void requireShared(VolumeLife volume) {
        boolean shared = volume.plugin().shared(volume.spec()) && volume.stages();
        require(shared, "the pods of a node do not share this volume's mount", () -> {
            volume.tearDown(POD);
            volume.delete();
        });
    }

    /** Skips the test if the condition does not hold, leaving nothing behind. */
    private static void require(boolean condition, String otherwise, Runnable cleanup) {
        if (!condition) {
            cleanup.run();
        }
        assumeTrue(condition, otherwise);
    }

    private void assertOnlyPluginsAndPods() {
        assertTrue(
                List.of("plugins", "pods").containsAll(backend().files().listRoot(root())),
                () -> "unexpected below the root: " + backend().files().listRoot(root()));
    }

    /** A refusal is as good as doing nothing. */
    private static void tolerated(Runnable call) {
        try {
            call.run();
        } catch (VolumeException refused) {
            assertNotEquals(FailureKind.UNCERTAIN, refused.kind(), refused::getMessage);
        }
    }

    private VolumeLife life(String name) {
        return new VolumeLife(examined(), name);
    }

    private static Path file(VolumeLife volume, String podUid) {
        return volume.publishPath(podUid).absolute().resolve("file");
    }

    private List<MountEntry> below(RootedPath path) {
        return backend().table().below(path.absolute());
    }

    private static List<Long> ids(List<MountEntry> entries) {
        return entries.stream().map(MountEntry::id).toList();
    }

    private PluginUnderTest examined() {
        return Objects.requireNonNull(current, "no test is running");
    }

    private BackendFixture machine() {
        return examined().machine();
    }

    private MountBackend backend() {
        return machine().backend();
    }

    private Path root() {
        return machine().root();
    }
}
