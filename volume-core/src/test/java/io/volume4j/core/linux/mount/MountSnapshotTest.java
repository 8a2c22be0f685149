package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountSnapshotTest {
    private static final MountEntry TOP = mount(1, 0, "8:1", "/");
    private static final MountEntry A = mount(2, 1, "8:2", "/a");
    private static final MountEntry A_DASH_B = mount(3, 1, "8:3", "/a-b");
    private static final MountEntry A_B = mount(4, 2, "8:2", "/a/b");
    private static final MountEntry A_B_AGAIN = mount(5, 4, "8:4", "/a/b");
    private static final MountSnapshot TABLE = MountSnapshot.ofTable(List.of(TOP, A, A_DASH_B, A_B, A_B_AGAIN));

    @Test
    void theTopmostOfStackedMountsIsTheOneThatNoOtherCovers() {
        assertThat(TABLE.at(Path.of("/a/b"))).contains(A_B_AGAIN);
        // The kernel lists by mount id, and ids are used again: the lower one may come later.
        assertThat(MountSnapshot.ofTable(List.of(A_B_AGAIN, TOP, A_B)).at(Path.of("/a/b")))
                .contains(A_B_AGAIN);
    }

    @Test
    void belowMeansAtOrUnderAndNotJustTheSameLetters() {
        assertThat(TABLE.below(Path.of("/a"))).containsExactly(A, A_B, A_B_AGAIN);
        assertThat(TABLE.below(Path.of("/a-b"))).containsExactly(A_DASH_B);
        assertThat(TABLE.below(Path.of("/a/b/c"))).isEmpty();
        assertThat(TABLE.below(Path.of("/"))).containsExactlyInAnyOrder(TOP, A, A_DASH_B, A_B, A_B_AGAIN);
    }

    /** In the reverse order each can be unmounted by its path. */
    @Test
    void aMountComesAfterThoseThatItHides() {
        MountEntry hidden = mount(6, 2, "8:5", "/a/c/d");
        MountEntry inHidden = mount(7, 6, "8:6", "/a/c/d/e");
        MountEntry other = mount(8, 2, "8:7", "/a/x");
        MountEntry cover = mount(9, 2, "8:8", "/a/c");
        MountEntry inCover = mount(10, 9, "8:9", "/a/c/d");
        MountEntry coverOfAll = mount(11, 2, "8:10", "/a");
        MountEntry inCoverOfAll = mount(12, 11, "8:11", "/a/b");
        MountSnapshot table = MountSnapshot.ofTable(
                List.of(TOP, A, A_B, A_B_AGAIN, hidden, inHidden, other, cover, inCover, coverOfAll, inCoverOfAll));

        assertThat(table.below(Path.of("/a")))
                .containsExactly(A, A_B, A_B_AGAIN, hidden, inHidden, cover, inCover, other, coverOfAll, inCoverOfAll);
    }

    @Test
    void noMountIsMissingBelowIfTheTableChangedWhileItWasRead() {
        MountEntry one = mount(6, 7, "8:5", "/c/d");
        MountEntry other = mount(7, 6, "8:6", "/c/e");
        MountEntry itsOwnParent = mount(1, 1, "0:1", "/");

        assertThat(MountSnapshot.ofTable(List.of(itsOwnParent, one, other)).below(Path.of("/")))
                .containsExactlyInAnyOrder(itsOwnParent, one, other);
    }

    @Test
    void findsByDeviceAndById() {
        assertThat(TABLE.ofDevice("8:2")).containsExactly(A, A_B);
        assertThat(TABLE.ofDevice("9:9")).isEmpty();
        assertThat(TABLE.withId(4)).contains(A_B);
        assertThat(TABLE.at(Path.of("/c"))).isEmpty();
        assertThat(TABLE.size()).isEqualTo(5);
    }

    private static MountEntry mount(long id, long parent, String device, String at) {
        return new MountEntry(id, parent, device, "/", Path.of(at), List.of("rw"), "ext4", "/dev/x", List.of("rw"));
    }
}
