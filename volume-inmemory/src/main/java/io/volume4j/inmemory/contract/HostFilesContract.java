package io.volume4j.inmemory.contract;

import static io.volume4j.inmemory.contract.Refusals.assertFails;
import static io.volume4j.inmemory.contract.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of a backend's operations on files. Needs no right to mount.
 *
 * @since 0.1.0
 */
public abstract class HostFilesContract extends BackendContract {
    private static final byte[] OLD = "old content".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

    private final CallContext context = new ManualCallContext("contract");

    /** For the extending class. */
    protected HostFilesContract() {}

    @Test
    void theRootIsMadeOnceAndForItsOwnerOnly() {
        files().createRoot(root());

        Path parent = Objects.requireNonNull(root().getParent());
        RootedPath fromAbove = new RootedPath(parent, parent.relativize(root()));
        assertEquals(0700, files().status(fromAbove).orElseThrow().mode());
    }

    @Test
    void aDirectoryIsMadeWithThoseAboveItAndExactlyTheMode() {
        files().createDirectory(path("a/b"), 0777);

        assertEquals(FileStatus.Type.DIRECTORY, status("a").type());
        assertEquals(FileStatus.Type.DIRECTORY, status("a/b").type());
        assertEquals(0777, status("a/b").mode());
    }

    /** Whether there are quotas is the machine's own; the answer is the same each time, and removal never minds. */
    @Test
    void aQuotaIsSetAgainAndRemovedAgain() {
        files().createDirectory(path("a"), 0755);

        boolean limited = files().setQuota(path("a"), 1 << 20);

        assertEquals(limited, files().setQuota(path("a"), 1 << 21));
        files().removeQuota(path("a"));
        files().removeQuota(path("a"));
        assertEquals(limited, files().setQuota(path("a"), 1 << 20));
        files().removeQuota(path("a"));
        files().removeDirectory(path("a"));
    }

    @Test
    void aDirectoryWithFilesGetsNoQuota() {
        files().createDirectory(path("a"), 0755);
        files().writeAtomically(path("a/file"), OLD, 0600);

        assertFalse(files().setQuota(path("a"), 1 << 20));
    }

    @Test
    void aQuotaNeedsADirectoryAndItsRemovalDoesNot() {
        assertFails(FailureKind.TRANSIENT, () -> files().setQuota(path("a"), 1 << 20));

        files().removeQuota(path("a"));
    }

    @Test
    void aDirectoryThatIsThereIsSuccessAndKeepsItsMode() {
        files().createDirectory(path("a"), 0700);
        files().createDirectory(path("a"), 0755);

        assertEquals(0700, status("a").mode());
    }

    @Test
    void whereSomethingElseIsNoDirectoryIsMade() {
        files().createSparseFile(path("file"), 0, 0600);

        assertFails(FailureKind.FINAL, () -> files().createDirectory(path("file"), 0700));
        assertRefused(() -> files().createDirectory(path("file/below"), 0700));
        assertEquals(FileStatus.Type.FILE, status("file").type());
    }

    @Test
    void onlyAnEmptyDirectoryIsRemovedAndAbsentIsSuccess() {
        files().createDirectory(path("a/b"), 0700);
        assertFails(FailureKind.FINAL, () -> files().removeDirectory(path("a")));

        files().removeDirectory(path("a/b"));
        files().removeDirectory(path("a"));
        files().removeDirectory(path("a"));
        files().removeDirectory(path("not/there/at/all"));

        assertEquals(List.of(), files().listRoot(root()));
    }

    @Test
    void aFileIsNoDirectoryAndADirectoryNoFile() {
        files().createDirectory(path("directory"), 0700);
        files().createSparseFile(path("file"), 0, 0600);

        assertRefused(() -> files().removeDirectory(path("file")));
        assertRefused(() -> files().removeFile(path("directory")));

        assertEquals(List.of("directory", "file"), files().listRoot(root()));
    }

    @Test
    void aSparseFileHasItsSizeOnceAndForAll() {
        files().createSparseFile(path("f"), 1 << 20, 0600);
        files().createSparseFile(path("f"), 1 << 20, 0600);

        assertFails(FailureKind.FINAL, () -> files().createSparseFile(path("f"), 2 << 20, 0600));
        assertEquals(new FileStatus(FileStatus.Type.FILE, 1 << 20, 0600), status("f"));
    }

    @Test
    void aFileGrowsAndNeverShrinks() {
        files().createSparseFile(path("f"), 4096, 0600);
        files().growFile(path("f"), 8192);
        files().growFile(path("f"), 100);

        assertEquals(8192, status("f").bytes());
    }

    @Test
    void contentIsReplacedAsAWhole() {
        files().writeAtomically(path("f"), OLD, 0600);
        files().writeAtomically(path("f"), NEW, 0640);

        assertArrayEquals(NEW, files().read(path("f"), 100).orElseThrow());
        assertEquals(new FileStatus(FileStatus.Type.FILE, NEW.length, 0640), status("f"));
        assertEquals(List.of("f"), files().listRoot(root()));
    }

    @Test
    void readingStopsAtTheLimitAndAbsentIsEmpty() {
        files().writeAtomically(path("f"), NEW, 0600);

        assertArrayEquals(NEW, files().read(path("f"), NEW.length).orElseThrow());
        assertFails(FailureKind.FINAL, () -> files().read(path("f"), NEW.length - 1));
        assertTrue(files().read(path("absent"), 10).isEmpty());
        assertTrue(files().read(path("not/there"), 10).isEmpty());
    }

    @Test
    void namesAreListedSortedAndAbsentIsEmpty() {
        for (String name : List.of("b", "a", "B", "a-b", "\u00e4")) {
            files().createDirectory(path("d").resolve(name), 0700);
        }

        assertEquals(List.of("B", "a", "a-b", "b", "\u00e4"), files().list(path("d")));
        assertEquals(List.of(), files().list(path("absent")));
        assertEquals(List.of(), files().listRoot(root().resolve("absent")));
    }

    @Test
    void statusTellsWhatIsThereAndALinkIsALink() {
        files().createDirectory(path("d"), 0750);
        link("link", "d");

        assertEquals(FileStatus.Type.LINK, status("link").type());
        assertTrue(files().status(path("absent")).isEmpty());
        assertTrue(files().status(path("not/there")).isEmpty());
    }

    @Test
    void noCallFollowsALinkBelowTheRoot() {
        files().createDirectory(path("real"), 0700);
        files().writeAtomically(path("real/f"), OLD, 0600);
        link("link", "real");

        assertRefused(() -> files().createDirectory(path("link/d"), 0700));
        assertRefused(() -> files().removeDirectory(path("link/d")));
        assertRefused(() -> files().createSparseFile(path("link/g"), 1, 0600));
        assertRefused(() -> files().growFile(path("link/f"), 100));
        assertRefused(() -> files().removeFile(path("link/f")));
        assertRefused(() -> files().writeAtomically(path("link/f"), NEW, 0600));
        assertRefused(() -> files().linkAtomically(path("link/g"), "f"));
        assertRefused(() -> files().readLink(path("link/f")));
        assertRefused(() -> files().changeGroup(path("link/f"), 1, 0600));
        assertRefused(() -> files().read(path("link/f"), 100));
        assertRefused(() -> files().list(path("link")));

        assertArrayEquals(OLD, files().read(path("real/f"), 100).orElseThrow());
        assertEquals(List.of("f"), files().list(path("real")));
    }

    @Test
    void aLinkItselfIsRemovedOrReplacedAndNeverWhatItNames() {
        files().writeAtomically(path("target"), OLD, 0600);
        link("replaced", "target");
        link("removed", "target");

        files().writeAtomically(path("replaced"), NEW, 0600);
        files().removeFile(path("removed"));

        assertEquals(FileStatus.Type.FILE, status("replaced").type());
        assertTrue(files().status(path("removed")).isEmpty());
        assertArrayEquals(OLD, files().read(path("target"), 100).orElseThrow());
    }

    @Test
    void aFileIsCopiedOnceWithItsHolesAndBothGoTheirOwnWaysAfterwards() {
        files().writeAtomically(path("f"), OLD, 0644);
        files().growFile(path("f"), 8 << 20);

        files().copyFile(path("f"), path("copy"), 0600, false, context);
        files().writeAtomically(path("f"), NEW, 0644);
        files().copyFile(path("f"), path("copy"), 0600, false, context);

        assertEquals(new FileStatus(FileStatus.Type.FILE, 8 << 20, 0600), status("copy"));
        byte[] copy = files().read(path("copy"), 8 << 20).orElseThrow();
        assertArrayEquals(OLD, Arrays.copyOf(copy, OLD.length));
        assertEquals(List.of("copy", "f"), files().listRoot(root()));
    }

    @Test
    void nothingIsCopiedFromWhatIsNotThereOrOverWhatIsNoFile() {
        files().createDirectory(path("d"), 0700);
        files().writeAtomically(path("f"), OLD, 0600);
        link("link", "f");

        assertFails(FailureKind.TRANSIENT, () -> files().copyFile(path("absent"), path("copy"), 0600, false, context));
        assertRefused(() -> files().copyFile(path("link"), path("copy"), 0600, false, context));
        assertRefused(() -> files().copyFile(path("f"), path("d"), 0600, false, context));
        assertEquals(List.of("d", "f", "link"), files().listRoot(root()));
    }

    @Test
    void aLinkIsMadeOrReplacedAtOnceAndSaysWhatItWasTold() {
        files().linkAtomically(path("link"), "..first/a b");
        assertEquals(Optional.of("..first/a b"), files().readLink(path("link")));

        files().linkAtomically(path("link"), "nowhere");
        files().writeAtomically(path("f"), OLD, 0600);
        files().linkAtomically(path("f"), "link");

        assertEquals(Optional.of("nowhere"), files().readLink(path("link")));
        assertEquals(Optional.of("link"), files().readLink(path("f")));
        assertEquals(FileStatus.Type.LINK, status("f").type());
        assertEquals(List.of("f", "link"), files().listRoot(root()));
        assertEquals(Optional.empty(), files().readLink(path("absent")));
        assertEquals(Optional.empty(), files().readLink(path("not/there")));
    }

    @Test
    void aLinkTakesNoDirectorysPlaceAndIsNotReadFromWhatIsNone() {
        files().createDirectory(path("d"), 0700);
        files().writeAtomically(path("f"), OLD, 0600);

        assertFails(FailureKind.FINAL, () -> files().linkAtomically(path("d"), "f"));
        assertFails(FailureKind.FINAL, () -> files().readLink(path("d")));
        assertFails(FailureKind.FINAL, () -> files().readLink(path("f")));
        assertEquals(FileStatus.Type.DIRECTORY, status("d").type());
        assertEquals(List.of("d", "f"), files().listRoot(root()));
    }

    @Test
    void aGroupIsGivenWithTheModeAndNeverThroughALink() {
        files().createDirectory(path("d"), 0700);
        files().writeAtomically(path("d/f"), OLD, 0600);
        files().linkAtomically(path("link"), "d/f");

        files().changeGroup(path("d"), 4711, 02750);
        files().changeGroup(path("d/f"), 4711, 0640);

        assertEquals(02750, status("d").mode());
        assertEquals(0640, status("d/f").mode());
        assertRefused(() -> files().changeGroup(path("link"), 4712, 0666));
        for (long noGroup : new long[] {-1, 0xFFFF_FFFFL, 1L << 32}) {
            assertFails(FailureKind.FINAL, () -> files().changeGroup(path("d/f"), noGroup, 0666));
        }
        assertEquals(0640, status("d/f").mode());
        assertEquals(4711, machine().group(root().resolve("d")));
        assertEquals(4711, machine().group(root().resolve("d/f")));
    }

    @Test
    void aUserIsGivenWithTheModeAndNeverThroughALink() {
        files().createDirectory(path("d"), 0700);
        files().writeAtomically(path("d/f"), OLD, 0600);
        files().changeGroup(path("d/f"), 4711, 0640);
        files().linkAtomically(path("link"), "d/f");

        files().changeUser(path("d/f"), 4712, 0400);

        assertEquals(new FileStatus(FileStatus.Type.FILE, OLD.length, 0400, 4712), status("d/f"));
        assertEquals(4711, machine().group(root().resolve("d/f")));
        assertRefused(() -> files().changeUser(path("link"), 4713, 0666));
        for (long noUser : new long[] {-1, 0xFFFF_FFFFL, 1L << 32}) {
            assertFails(FailureKind.FINAL, () -> files().changeUser(path("d/f"), noUser, 0666));
        }
        assertEquals(new FileStatus(FileStatus.Type.FILE, OLD.length, 0400, 4712), status("d/f"));
    }

    @Test
    void aTreeIsGivenToAGroupTheTopmostDirectoryIncludedAndNothingThroughALink() {
        files().createDirectory(path("tree"), 0700);
        files().createDirectory(path("tree/d"), 0701);
        files().writeAtomically(path("tree/d/f"), OLD, 0604);
        files().createDirectory(path("other"), 0700);
        files().writeAtomically(path("other/f"), OLD, 0600);
        link("tree/link", "other");
        OwnershipChange change = OwnershipChange.ofFsGroup(4711, false);

        OwnershipReport first = files().changeOwnership(path("tree"), change, context);
        OwnershipReport second = files().changeOwnership(path("tree"), change, context);

        assertEquals(new OwnershipReport(4, 4, 0, ""), first);
        assertEquals(new OwnershipReport(4, 0, 0, ""), second);
        assertEquals(
                Optional.of(new HostFiles.Owner(FileStatus.Type.DIRECTORY, 4711, 02770)), files().owner(path("tree")));
        assertEquals(
                Optional.of(new HostFiles.Owner(FileStatus.Type.FILE, 4711, 0664)), files().owner(path("tree/d/f")));
        assertEquals(02771, status("tree/d").mode());
        assertEquals(0600, status("other/f").mode());
        assertEquals(0, machine().group(root().resolve("other/f")));
        assertEquals(Optional.empty(), files().owner(path("absent")));
    }

    @Test
    void aTreeIsNotChangedThroughALinkAndAFileIsNoTree() {
        files().createDirectory(path("real"), 0700);
        files().writeAtomically(path("f"), OLD, 0600);
        link("link", "real");
        OwnershipChange change = OwnershipChange.ofFsGroup(4711, false);

        assertRefused(() -> files().changeOwnership(path("link"), change, context));
        assertRefused(() -> files().changeOwnership(path("f"), change, context));
        assertRefused(() -> files().owner(path("link")));
        assertEquals(0, machine().group(root().resolve("real")));
    }

    @Test
    void aCancelledWalkStopsBeforeTheTopmostDirectory() {
        files().createDirectory(path("tree/d"), 0700);
        ManualCallContext cancelled = new ManualCallContext("contract");
        cancelled.cancel();

        assertFails(
                FailureKind.UNCERTAIN,
                () -> files().changeOwnership(path("tree"), OwnershipChange.ofFsGroup(4711, false), cancelled));
        assertEquals(0, machine().group(root().resolve("tree")));
    }

    @Test
    void aTreeIsRemovedWithItsLinksAndNeverWhatTheyName() {
        files().createDirectory(path("tree/a/b"), 0700);
        files().writeAtomically(path("tree/a/f"), OLD, 0600);
        files().createDirectory(path("kept"), 0700);
        files().writeAtomically(path("kept/f"), OLD, 0600);
        link("tree/link", "kept");

        files().removeTree(path("tree"), context);
        files().removeTree(path("tree"), context);
        files().removeTree(path("not/there"), context);

        assertEquals(List.of("kept"), files().listRoot(root()));
        assertArrayEquals(OLD, files().read(path("kept/f"), 100).orElseThrow());
    }

    @Test
    void aDirectoryGetsAnotherNameWithAllThatIsInIt() {
        files().createDirectory(path("a/old/inner"), 0700);
        files().writeAtomically(path("a/old/f"), OLD, 0600);

        assertTrue(files().renameDirectory(path("a/old"), path("a/new")));

        assertEquals(List.of("new"), files().list(path("a")));
        assertEquals(List.of("f", "inner"), files().list(path("a/new")));
        assertArrayEquals(OLD, files().read(path("a/new/f"), 100).orElseThrow());
    }

    @Test
    void whatIsNotThereIsNotRenamedAndThatIsNoFailure() {
        files().createDirectory(path("kept"), 0700);

        assertFalse(files().renameDirectory(path("absent"), path("new")));
        assertFalse(files().renameDirectory(path("absent/inner"), path("new")));

        assertEquals(List.of("kept"), files().listRoot(root()));
    }

    @Test
    void aRenameReplacesNothingNotEvenAnEmptyDirectory() {
        files().createDirectory(path("old"), 0700);
        files().createDirectory(path("taken"), 0700);
        files().writeAtomically(path("file"), OLD, 0600);

        assertFails(FailureKind.FINAL, () -> files().renameDirectory(path("old"), path("taken")));
        assertFails(FailureKind.FINAL, () -> files().renameDirectory(path("old"), path("file")));
        assertFails(FailureKind.FINAL, () -> files().renameDirectory(path("file"), path("new")));

        assertEquals(List.of("file", "old", "taken"), files().listRoot(root()));
    }

    @Test
    void nothingIsRenamedThroughALink() {
        files().createDirectory(path("real/old"), 0700);
        link("link", "real");

        assertRefused(() -> files().renameDirectory(path("link/old"), path("new")));
        assertRefused(() -> files().renameDirectory(path("real/old"), path("link/new")));

        assertEquals(List.of("old"), files().list(path("real")));
    }

    @Test
    void aTreeIsNotReachedThroughALink() {
        files().createDirectory(path("real/tree"), 0700);
        link("link", "real");

        assertRefused(() -> files().removeTree(path("link/tree"), context));

        assertEquals(List.of("tree"), files().list(path("real")));
    }

    @Test
    void anAdministratorsPathLeadsWhereItsLinksLead() {
        files().createDirectory(path("real/inner"), 0700);
        link("link", "real");

        assertEquals(Optional.of(root().resolve("real/inner")), files().resolve(root().resolve("link/inner")));
        assertEquals(Optional.empty(), files().resolve(root().resolve("link/absent")));
    }

    @Test
    void aMissingParentIsNotMadeForAFile() {
        assertFails(FailureKind.TRANSIENT, () -> files().createSparseFile(path("no/f"), 1, 0600));
        assertFails(FailureKind.TRANSIENT, () -> files().writeAtomically(path("no/f"), NEW, 0600));
        assertFails(FailureKind.TRANSIENT, () -> files().growFile(path("no"), 1));
        assertEquals(List.of(), files().listRoot(root()));
    }

    private HostFiles files() {
        return backend().files();
    }

    private FileStatus status(String relative) {
        return files().status(path(relative)).orElseThrow();
    }

    private void link(String link, String target) {
        machine().link(root().resolve(link), root().resolve(target));
    }
}
