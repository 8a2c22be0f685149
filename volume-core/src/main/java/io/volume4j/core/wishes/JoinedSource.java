package io.volume4j.core.wishes;

import io.volume4j.core.objects.RestatedObjects;
import io.volume4j.core.objects.SourceAnswer;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster combined with the direct wishes. Objects keep the revisions of their source; the revision of a listing
 * contains both. Thread-safe.
 */
public final class JoinedSource implements ClusterSource, RestatedObjects {
    private static final char BETWEEN = ';';

    private final DirectWishes wishes;
    private final ClusterSource cluster;

    public JoinedSource(DirectWishes wishes, ClusterSource cluster) {
        this.wishes = wishes;
        this.cluster = cluster;
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        Listing stated = wishes.list(kind, selection);
        Listing stored = SourceAnswer.listing(cluster.list(kind, selection), cluster, kind);
        List<ApiObject> objects = new ArrayList<>(stored.objects());
        objects.addAll(stated.objects());
        return new Listing(objects, stated.revision() + BETWEEN + stored.revision());
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        Object oneAtATime = new Object();
        WatchListener both = event -> {
            synchronized (oneAtATime) {
                listener.onEvent(event);
            }
        };
        Watch stored = SourceAnswer.watch(cluster.watch(kind, selection, ofCluster(revision), both), cluster, kind);
        try {
            Watch stated = wishes.watch(kind, selection, ofWishes(revision), both);
            return () -> {
                stated.close();
                stored.close();
            };
        } catch (Throwable failed) {
            stored.close();
            throw failed;
        }
    }

    @Override
    public boolean mayReturn(ObjectKey key) {
        return wishes.mayReturn(key);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return DirectWishes.isOurs(key) ? wishes.readLive(key) : cluster.readLive(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return stated(left) || stated(right)
                ? wishes.compareRevisions(ofWishes(left), ofWishes(right))
                : cluster.compareRevisions(ofCluster(left), ofCluster(right));
    }

    /** Whether it is the revision of a direct wish. */
    private static boolean stated(String revision) {
        return revision.startsWith(DirectWishes.PREFIX) && revision.indexOf(BETWEEN) < 0;
    }

    private static boolean joined(String revision) {
        return revision.startsWith(DirectWishes.PREFIX) && revision.indexOf(BETWEEN) >= 0;
    }

    private static String ofWishes(String revision) {
        return joined(revision) ? revision.substring(0, revision.indexOf(BETWEEN)) : revision;
    }

    private static String ofCluster(String revision) {
        return joined(revision) ? revision.substring(revision.indexOf(BETWEEN) + 1) : revision;
    }
}
