package io.volume4j.core.wishes;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a watch of direct wishes reports of the changes before it began. */
class DirectWishesWatchTest {
    private final DirectWishes wishes = new DirectWishes("n1");

    @Test
    void aWatchReportsTheReturnOfAJobAfterItsEnd() {
        wishes.put("job-1", scratch("a"));
        Listing listing = wishes.list(Kind.POD, Selection.all());
        wishes.remove("job-1");
        wishes.put("job-1", scratch("a"));

        assertThat(since(Kind.POD, listing)).containsExactly("DELETED direct-3", "CHANGED direct-4");
    }

    @Test
    void aWatchReportsTheReturnOfAVolumeAfterItsRemoval() {
        wishes.put("job-1", data("a", "b"));
        Listing listing = wishes.list(Kind.PERSISTENT_VOLUME, Selection.all());
        wishes.put("job-1", data("a"));
        wishes.put("job-1", data("a", "b"));

        assertThat(since(Kind.PERSISTENT_VOLUME, listing))
                .containsExactly("DELETED direct-3", "CHANGED direct-4", "CHANGED direct-4");
    }

    private List<String> since(Kind kind, Listing listing) {
        List<String> events = new ArrayList<>();
        wishes.watch(
                kind, Selection.all(), listing.revision(), event -> events.add(event.type() + " " + event.revision()));
        return events;
    }

    private static PodVolumes scratch(String name) {
        return PodVolumes.builder().emptyDir(name).build();
    }

    private static PodVolumes data(String... names) {
        PodVolumes.Builder volumes = PodVolumes.builder();
        for (String name : names) {
            volumes.csi(name, "mem", "vol-" + name);
        }
        return volumes.build();
    }
}
