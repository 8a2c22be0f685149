package io.volume4j.inmemory.attach;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One process's way to the cluster, which can be cut: requests fail, watches fall silent and expire when it is mended. */
final class Link implements ClusterSource, ClusterWriter {
    private final InMemoryCluster cluster;
    private final List<WatchListener> silenced = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private final Set<Kind> unseen = EnumSet.noneOf(Kind.class);
    private @Nullable Kind unanswered;
    private int unansweredWrites;
    private boolean cut;
    private int writes;
    private int lost = -1;
    private @Nullable Runnable late;

    Link(InMemoryCluster cluster) {
        this.cluster = cluster;
    }

    void cut() {
        cut = true;
    }

    /** What happens to objects of the kind is not heard of; requests still arrive. */
    void hide(Kind kind) {
        unseen.add(kind);
    }

    /** As many changes of objects of the kind as said are made, but their answers do not come back. */
    void loseAnswers(Kind kind, int number) {
        unanswered = kind;
        unansweredWrites = number;
    }

    void mend() {
        cut = false;
        unseen.clear();
        List<WatchListener> all = new ArrayList<>(silenced);
        silenced.clear();
        all.forEach(listener -> listener.onEvent(WatchEvent.expired()));
    }

    /** The write of this number, from 0, is not done now and fails; {@link #late} does it. */
    void lose(int write) {
        lost = write;
    }

    /** The write that was lost, null if there was none. */
    @Nullable
    Runnable late() {
        return late;
    }

    int writes() {
        return writes;
    }

    /** Listings and live reads so far. */
    List<String> reads() {
        return new ArrayList<>(reads);
    }

    private void mustArrive(Runnable write) {
        mustReach();
        if (writes++ == lost) {
            late = write;
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "no answer");
        }
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        mustReach();
        reads.add("list " + kind);
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        mustReach();
        return cluster.watch(kind, selection, revision, event -> {
            if (!cut && !unseen.contains(kind)) {
                listener.onEvent(event);
            } else if (!silenced.contains(listener)) {
                silenced.add(listener);
            }
        });
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        mustReach();
        reads.add("read " + key);
        return cluster.readLive(key);
    }

    @Override
    public ApiObject create(ApiObject object) {
        mustArrive(() -> cluster.create(object));
        return cluster.create(object);
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        mustArrive(() -> cluster.patch(key, patch));
        ApiObject patched = cluster.patch(key, patch);
        if (key.kind() == unanswered && unansweredWrites > 0) {
            unansweredWrites--;
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "no answer");
        }
        return patched;
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        mustArrive(() -> cluster.delete(key, preconditions));
        cluster.delete(key, preconditions);
    }

    private void mustReach() {
        if (cut) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "the network is cut");
        }
    }
}
