package io.volume4j.core.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.Durability;
import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.state.RootIdentity;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journal that an earlier run left large is made small in the background of the start, also on a node that writes nothing. */
@Timeout(180)
class GrownJournalTest {
    private static final long LARGE = 5L << 20;
    private static final long SMALL = 2L << 20;

    @TempDir
    Path root;

    @Test
    void isCompactedByAStartAlthoughNothingIsWritten() throws IOException {
        PluginRegistry plugins = PluginRegistry.builder(
                        DefaultPluginHost.builder(root).nodeName("n1").build())
                .build();
        grow(RootIdentity.of(plugins.host(), work -> work.get(), UUID::randomUUID));
        assertThat(Files.size(root.resolve("journal"))).isGreaterThan(LARGE);

        try (VolumeManager manager = VolumeManager.builder()
                .cluster(new NoObjects())
                .plugins(plugins)
                .withoutMounts()
                .build()) {
            manager.start();
            assertThat(manager.present().join()).isEmpty();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Files.size(root.resolve("journal")) < SMALL);
        }
    }

    /** Rows that say again and again that a volume is gone, as a busy node's do. */
    private void grow(RootIdentity identity) {
        JournalOptions options = JournalOptions.builder()
                .durability(Durability.WRITTEN)
                .compactAfterBytes(1 << 30)
                .build();
        Journal journal = new FileJournalStore(root, options, Runnable::run, new SplittableRandom(1))
                .open(new JournalIdentity("n1", identity.bootId(), identity.rootId()), reason -> {})
                .journal();
        int number = 0;
        while (journal.status().journalBytes() <= LARGE) {
            journal.append(
                    RowCodec.volumeGone(VolumeId.shared("p", "v" + number++ % 100)),
                    AppendPriority.NORMAL,
                    outcome -> assertThat(outcome.isDurable()).isTrue());
        }
        journal.close();
    }

    private static final class NoObjects implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            return new Listing(List.of(), "1");
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            return () -> {};
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return Optional.empty();
        }
    }
}
