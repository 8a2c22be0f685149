package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.ZoneLabels;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.WellKnown;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the nodes that can access a volume. Not thread-safe. */
final class Accessibility {
    private final NodeTable nodes;
    private final CsiMigration migration;
    private final Map<String, Set<String>> migrating = new HashMap<>();

    Accessibility(NodeTable nodes, CsiMigration migration) {
        this.nodes = nodes;
        this.migration = migration;
    }

    /** Applies a CSINode's list of migrated plugins; null if the node has no CSINode. */
    void changed(String name, @Nullable CsiNode node) {
        migrating.remove(name);
        String plugins = node == null ? "" : node.metadata().annotation(WellKnown.MIGRATED_PLUGINS);
        if (!plugins.isEmpty()) {
            migrating.put(name, new HashSet<>(List.of(plugins.split(",", -1))));
        }
    }

    /**
     * The nodes that can access a volume by its affinity, null for all. The affinity uses the cluster's labels, or the driver's own
     * labels on nodes whose CSINode lists the in-tree plugin as migrated.
     */
    @Nullable
    BitSet of(PersistentVolume volume) {
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        if (affinity == null) {
            return null;
        }
        BitSet byLabels = nodes.choosing(affinity);
        Optional<String> oldName = migration.driverFor(volume.spec().source()).flatMap(migration::inTreeNameFor);
        @Nullable NodeSelector ofDriver = oldName.isEmpty() ? null : translatedAffinity(volume);
        if (ofDriver == null || oldName.isEmpty()) {
            return byLabels;
        }
        BitSet byDriver = nodes.choosing(ofDriver);
        BitSet reaching = (BitSet) byLabels.clone();
        migrating.forEach((name, plugins) -> {
            int node = nodes.number(name);
            if (node >= 0 && plugins.contains(oldName.get())) {
                reaching.set(node, byDriver.get(node));
            }
        });
        return reaching;
    }

    /** The nodes that can access a volume by its affinity and its zone labels; null for all. */
    @Nullable
    BitSet byAffinityAndLabels(PersistentVolume volume) {
        @Nullable BitSet byAffinity = of(volume);
        if (!ZoneLabels.placed(volume)) {
            return byAffinity;
        }
        BitSet both = (BitSet) nodes.choosing(ZoneLabels.byLabels(volume)).clone();
        if (byAffinity != null) {
            both.and(byAffinity);
        }
        return both;
    }

    private @Nullable NodeSelector translatedAffinity(PersistentVolume volume) {
        @Nullable
        PersistentVolume translated = migration.specIfPossible(volume, false).persistentVolume();
        return translated == null ? null : translated.spec().nodeAffinity();
    }
}
