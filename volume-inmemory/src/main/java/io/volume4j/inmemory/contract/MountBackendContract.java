package io.volume4j.inmemory.contract;

import static io.volume4j.inmemory.contract.Refusals.assertFails;
import static io.volume4j.inmemory.contract.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of mounting and unmounting, for any machine. The process needs the right to mount. See also
 * {@link HostFilesContract} and {@link BlockDevicesContract}.
 *
 * @since 0.1.0
 */
public abstract class MountBackendContract extends BackendContract {
    private static final BindOptions MAPPED = BindOptions.readWrite().withIds(IdMapping.shifted(100_000, 65_536));
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    /** For the extending class. */
    protected MountBackendContract() {}

    @Test
    void aMountIsInTheTableAsItWasAskedFor() {
        RootedPath target = directory("a");
        tmpfs("one", target);

        MountEntry entry = at(target);
        assertEquals("tmpfs", entry.fsType());
        assertEquals("one", entry.source());
        assertEquals("/", entry.rootInFilesystem());
        assertEquals(target.absolute(), entry.mountPoint());
        assertFalse(entry.readOnly());
    }

    @Test
    void aFileIsNotWrittenWhereThereIsNoDirectoryAndTheFailureSaysWhatToDo() {
        RootedPath file = path("missing").resolve("file");

        VolumeException refused =
                assertThrows(VolumeException.class, () -> backend().files().writeAtomically(file, HELLO, 0600));

        assertTrue(refused.getMessage().contains("createDirectory"), refused::getMessage);
    }

    @Test
    void theSameMountedThereAlreadyIsSuccessAndStacksNothing() {
        RootedPath target = directory("a");
        tmpfs("one", target);
        MountEntry before = at(target);

        tmpfs("one", target);

        assertEquals(before.id(), at(target).id());
        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void nothingIsStackedOnAForeignMount() {
        RootedPath target = directory("a");
        tmpfs("one", target);

        assertFails(FailureKind.FINAL, () -> tmpfs("two", target));

        assertEquals("one", at(target).source());
        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void aMountedFilesystemInMemoryGetsAnotherSizeAndKeepsItsFiles() {
        RootedPath target = directory("a");
        backend().mount(new FilesystemMount("tmpfs", "one", false, List.of("size=1m")), target);
        write(target, "f");
        MountEntry before = at(target);

        backend().reconfigure(new FilesystemMount("tmpfs", "one", false, List.of("size=2m")), target);

        assertEquals(2 << 20, backend().usage(target.absolute()).totalBytes());
        assertEquals(before.id(), at(target).id());
        assertFalse(at(target).superOptions().equals(before.superOptions()));
        assertTrue(backend().files().status(target.resolve("f")).isPresent());
    }

    @Test
    void onlyTheFilesystemThatIsNamedIsReconfigured() {
        RootedPath target = directory("a");
        FilesystemMount larger = new FilesystemMount("tmpfs", "two", false, List.of("size=2m"));
        assertFails(FailureKind.TRANSIENT, () -> backend().reconfigure(larger, target));
        tmpfs("one", target);

        assertFails(FailureKind.FINAL, () -> backend().reconfigure(larger, target));
    }

    @Test
    void theSameInAnotherModeIsRefused() {
        RootedPath target = directory("a");
        tmpfs("one", target);

        assertFails(
                FailureKind.FINAL, () -> backend().mount(new FilesystemMount("tmpfs", "one", true, List.of()), target));
        assertFalse(at(target).readOnly());
    }

    @Test
    void aReadOnlyMountCannotBeWritten() {
        RootedPath target = directory("a");
        backend().mount(new FilesystemMount("tmpfs", "one", true, List.of()), target);

        assertTrue(at(target).readOnly());
        assertThrows(RuntimeException.class, () -> write(target, "f"));
    }

    @Test
    void aFilesystemThatTheKernelDoesNotKnowIsNamed() {
        RootedPath target = directory("a");

        VolumeException refused = assertFails(
                FailureKind.FINAL,
                () -> backend().mount(new FilesystemMount("nosuchfs", "x", false, List.of()), target));

        assertTrue(refused.getMessage().contains("nosuchfs"), refused::getMessage);
        assertEquals(List.of(), pointsBelow(target));
    }

    @Test
    void aMissingTargetMayComeAndIsNotMade() {
        RootedPath missing = path("missing");

        assertFails(FailureKind.TRANSIENT, () -> tmpfs("one", missing));

        assertTrue(backend().files().status(missing).isEmpty());
    }

    @Test
    void aLinkOnTheWayToATargetIsRefused() {
        directory("real/inner");
        machine().link(root().resolve("link"), root().resolve("real"));

        assertFails(FailureKind.FINAL, () -> tmpfs("one", path("link/inner")));
        assertFails(
                FailureKind.FINAL, () -> backend().bind(root().resolve("real"), path("link"), BindOptions.readWrite()));
        assertEquals(List.of(), pointsBelow(path("real")));
    }

    @Test
    void aSourceBelowARootIsNotLedElsewhereByALink() {
        directory("real");
        machine().link(root().resolve("link"), root().resolve("real"));
        RootedPath target = directory("target");

        assertRefused(() -> backend().bind(path("link"), target, BindOptions.readWrite()));

        assertEquals(List.of(), pointsBelow(target));
        backend().bind(path("real"), target, BindOptions.readWrite());
        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void removingATreeStopsAtWhatIsMountedInIt() {
        RootedPath tree = directory("tree");
        RootedPath mounted = directory("tree/mounted");
        tmpfs("one", mounted);
        write(mounted, "precious");

        assertRefused(() -> backend().files().removeTree(tree, new ManualCallContext("contract")));

        assertReads(mounted, "precious");
        assertEquals(List.of(mounted.absolute()), pointsBelow(tree));
    }

    @Test
    void aBindShowsTheSourcesFilesBothWays() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        write(source, "f");

        backend().bind(source.absolute(), target, BindOptions.readWrite());
        write(target, "g");

        assertReads(target, "f");
        assertReads(source, "g");
        assertEquals(
                List.of(source.absolute(), target.absolute()),
                backend().table().ofDevice(at(target).majorMinor()).stream()
                        .map(MountEntry::mountPoint)
                        .toList());
    }

    @Test
    void aBindOfADirectoryTellsWhereInItsFilesystemThatLies() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        RootedPath deep = directory("source/inner/deep");

        backend().bind(deep.absolute(), target, BindOptions.readWrite());

        assertEquals("/inner/deep", at(target).rootInFilesystem());
    }

    @Test
    void boundThereAlreadyIsSuccessAndStacksNothing() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        backend().bind(source.absolute(), target, BindOptions.readWrite());

        backend().bind(source.absolute(), target, BindOptions.readWrite());

        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void anotherSourceOrAnotherModeThanTheOneBoundIsRefused() {
        RootedPath source = directory("source");
        RootedPath other = directory("other");
        RootedPath target = directory("target");
        backend().bind(source.absolute(), target, BindOptions.readWrite());

        assertFails(FailureKind.FINAL, () -> backend().bind(other.absolute(), target, BindOptions.readWrite()));
        assertFails(FailureKind.FINAL, () -> backend().bind(source.absolute(), target, BindOptions.onlyRead()));

        assertEquals(List.of(target.absolute()), pointsBelow(target));
        assertFalse(at(target).readOnly());
    }

    @Test
    void aReadOnlyBindLeavesItsSourceWritable() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        backend().bind(source.absolute(), target, BindOptions.onlyRead());

        write(source, "f");

        assertReads(target, "f");
        assertThrows(RuntimeException.class, () -> write(target, "g"));
        assertTrue(at(target).readOnly());
    }

    @Test
    void aFileIsBoundOnAFileAndNotOnADirectory() {
        machine().write(root().resolve("f"), HELLO);
        RootedPath onFile = path("other");
        backend().files().createSparseFile(onFile, 0, 0600);
        RootedPath onDirectory = directory("directory");

        backend().bind(root().resolve("f"), onFile, BindOptions.readWrite());
        assertFails(FailureKind.FINAL, () -> backend().bind(root().resolve("f"), onDirectory, BindOptions.readWrite()));

        assertArrayEquals(HELLO, machine().read(onFile.absolute()));
        assertEquals(List.of(), pointsBelow(onDirectory));
    }

    @Test
    void mountsBelowTheSourceComeAlongOnlyWhenAsked() {
        RootedPath source = directory("source");
        tmpfs("outer", source);
        tmpfs("inner", directory("source/inner"));
        RootedPath alone = directory("alone");
        RootedPath whole = directory("whole");

        backend().bind(source.absolute(), alone, BindOptions.readWrite());
        backend().bind(source.absolute(), whole, new BindOptions(false, true, BindOptions.Propagation.PRIVATE));

        assertEquals(List.of(alone.absolute()), pointsBelow(alone));
        assertEquals(List.of(whole.absolute(), whole.absolute().resolve("inner")), pointsBelow(whole));
    }

    @Test
    void aMissingSourceMayCome() {
        RootedPath target = directory("target");

        assertFails(
                FailureKind.TRANSIENT,
                () -> backend().bind(root().resolve("missing"), target, BindOptions.readWrite()));

        assertEquals(List.of(), pointsBelow(target));
    }

    @Test
    void unmountingWhatIsNotMountedIsSuccessAndLeavesThePlace() {
        RootedPath target = directory("a");
        backend().unmount(target, UnmountMode.NORMAL);
        backend().unmount(path("not/there"), UnmountMode.NORMAL);

        tmpfs("one", target);
        backend().unmount(target, UnmountMode.NORMAL);
        backend().unmount(target, UnmountMode.NORMAL);

        assertEquals(List.of(), pointsBelow(target));
        assertTrue(backend().files().status(target).isPresent());
    }

    @Test
    void unmountingABindLeavesItsSource() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        write(source, "f");
        backend().bind(source.absolute(), target, BindOptions.readWrite());

        backend().unmount(target, UnmountMode.NORMAL);

        assertReads(source, "f");
        assertEquals(List.of(source.absolute()), pointsBelow(source));
    }

    @Test
    void whatHasAMountBelowItIsInUseAlsoForALazyUnmount() {
        RootedPath outer = directory("outer");
        tmpfs("outer", outer);
        RootedPath inner = directory("outer/inner");
        tmpfs("inner", inner);

        assertFails(FailureKind.IN_USE, () -> backend().unmount(outer, UnmountMode.NORMAL));
        assertFails(FailureKind.IN_USE, () -> backend().unmount(outer, UnmountMode.LAZY));

        assertEquals(List.of(outer.absolute(), inner.absolute()), pointsBelow(outer));
    }

    @Test
    void aMountPointIsNotRemovedAndNothingIsRemovedFromWhatIsMounted() {
        RootedPath target = directory("a");
        tmpfs("one", target);
        RootedPath inside = directory("a/inside");
        write(target, "f");

        assertFails(FailureKind.IN_USE, () -> backend().files().removeDirectory(target));
        assertFails(FailureKind.FINAL, () -> backend().files().removeDirectory(inside));
        assertFails(FailureKind.FINAL, () -> backend().files().removeFile(path("a/f")));

        assertReads(target, "f");
        assertEquals(List.of("f", "inside"), backend().files().list(target));
    }

    @Test
    void belowMeansAtOrUnderWithParentsFirst() {
        RootedPath a = directory("a");
        tmpfs("neighbour", directory("a-b"));
        tmpfs("a", a);
        RootedPath inner = directory("a/z");
        tmpfs("inner", inner);

        assertEquals(List.of(a.absolute(), inner.absolute()), pointsBelow(a));
        assertEquals(3, backend().table().below(root()).size());
    }

    @Test
    void tellsAllMountsOfASourceWithTheirBinds() {
        RootedPath a = directory("a");
        RootedPath b = directory("b");
        tmpfs("of-this-source", a);
        tmpfs("of-another", directory("c"));
        backend().bind(a.absolute(), b, BindOptions.readWrite());

        assertEquals(
                List.of(a.absolute(), b.absolute()),
                backend().table().ofSource("of-this-source").stream()
                        .map(MountEntry::mountPoint)
                        .toList());
        assertEquals(List.of(), backend().table().ofSource("of-no-mount"));
    }

    @Test
    void aTableThatWasReadStaysAsItWas() {
        RootedPath target = directory("a");
        MountTable before = backend().table();
        int size = before.size();

        tmpfs("one", target);

        assertTrue(before.at(target.absolute()).isEmpty());
        assertEquals(size, before.size());
        assertTrue(backend().table().at(target.absolute()).isPresent());
    }

    @Test
    void usageTellsWhatAFilesystemHolds() {
        RootedPath target = directory("a");
        backend().mount(new FilesystemMount("tmpfs", "one", false, List.of("size=1m")), target);

        machine().write(target.absolute().resolve("f"), new byte[64 * 1024]);

        assertEquals(1 << 20, backend().usage(target.absolute()).totalBytes());
        assertTrue(backend().usage(target.absolute()).usedBytes() >= 64 * 1024);
    }

    @Test
    void namesWithOddCharactersAreNamesLikeOthers() {
        for (String name :
                List.of("a b", "tab\there", "back\\slash", "new\nline", "\u00fcn\u00ef", "-dash", "*", "$(x)")) {
            RootedPath target = directory(name);
            tmpfs("odd", target);
            assertEquals(List.of(target.absolute()), pointsBelow(target));
            backend().unmount(target, UnmountMode.NORMAL);
            assertEquals(List.of(), pointsBelow(target));
        }
    }

    @Test
    void filesAreSeenWithMappedIdsThroughABindAndGivenBackTheOtherWay() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        write(source, "f");

        backend().bind(source, target, MAPPED);

        assertEquals(100_000, groupOf(target.resolve("f")));
        assertEquals(100_000, groupOf(target));
        backend().files().changeGroup(target.resolve("f"), 100_005, 0640);
        assertEquals(100_005, groupOf(target.resolve("f")));
        assertEquals(5, groupOf(source.resolve("f")));
        assertTrue(at(target).options().contains("idmapped"));
        assertFails(FailureKind.FINAL, () -> backend().files().changeGroup(target.resolve("f"), 7, 0640));
        backend().files().changeUser(source.resolve("f"), 6, 0640);
        assertEquals(100_006, userOf(target.resolve("f")));
        backend().files().changeUser(target.resolve("f"), 100_007, 0640);
        assertEquals(7, userOf(source.resolve("f")));
        assertFails(FailureKind.FINAL, () -> backend().files().changeUser(target.resolve("f"), 7, 0640));
    }

    @Test
    void partsOfAVolumeAreMappedLikeTheWhole() {
        RootedPath source = directory("source");
        tmpfs("one", source);

        backend().bindInside(source, Path.of("made/here"), path("part"), MAPPED);

        assertEquals(100_000, groupOf(path("part")));
        assertEquals(0, groupOf(source.resolve("made/here")));
    }

    /** Which IDs are mapped somewhere cannot be read, so that nothing there is taken for what was asked for. */
    @Test
    void aMappedBindTakesNothingForItself() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        backend().bind(source, target, MAPPED);

        VolumeException refused =
                assertThrows(VolumeException.class, () -> backend().bind(source, target, MAPPED));

        assertTrue(refused.getMessage().contains("cannot be read"), refused::getMessage);
        assertEquals(List.of(target.absolute()), pointsBelow(target));
    }

    @Test
    void idsThatAreMappedAreNotMappedAgain() {
        RootedPath source = directory("source");
        RootedPath target = directory("target");
        tmpfs("one", source);
        backend().bind(source, target, MAPPED);
        RootedPath second = directory("second");

        VolumeException refused = assertFails(FailureKind.FINAL, () -> backend().bind(target, second, MAPPED));

        assertTrue(refused.getMessage().contains("tmpfs"), refused::getMessage);
        assertEquals(List.of(), pointsBelow(second));
    }

    private long groupOf(RootedPath path) {
        return backend().files().owner(path).orElseThrow().group();
    }

    private long userOf(RootedPath path) {
        return backend().files().status(path).orElseThrow().user();
    }

    private void write(RootedPath directory, String name) {
        machine().write(directory.absolute().resolve(name), HELLO);
    }

    private void assertReads(RootedPath directory, String name) {
        assertArrayEquals(HELLO, machine().read(directory.absolute().resolve(name)));
    }
}
