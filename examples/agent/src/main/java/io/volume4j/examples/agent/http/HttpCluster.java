package io.volume4j.examples.agent.http;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.csi.SnapshotAccess;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster behind an API server that follows Kubernetes' conventions. Thread-safe. Calls block, at most half a minute if the
 * server does not answer; a list may need several requests.
 *
 * <p>This class never repeats a write that the server may have done: the library decides about such calls. It compares
 * revisions as numbers, as Kubernetes does.
 */
public final class HttpCluster implements HostCluster {
    /** Objects in one answer to a list call. */
    private static final int PAGE = 500;

    /** The lifetime of one connection of a watch, which bounds the time of an undetected failure of the server. */
    private static final Duration WATCH_LIFE = Duration.ofMinutes(5);

    /** The number of attempts for a patch that this class, and not the caller, bound to a revision. */
    private static final int PATIENCE = 5;

    private final ApiServer server;
    private final Lists lists;
    private final Duration watchLife;

    private HttpCluster(ApiServer server, Lists lists, Duration watchLife) {
        this.server = server;
        this.lists = lists;
        this.watchLife = watchLife;
    }

    /**
     * With the {@linkplain RequestRate#standard() standard rate}. Does not connect yet.
     *
     * @throws IllegalArgumentException with the error in the address, or in a file of the access
     */
    public static HttpCluster of(Access access) {
        return of(access, RequestRate.standard());
    }

    /** The same with another rate of requests. */
    public static HttpCluster of(Access access, RequestRate rate) {
        ApiServer asked = new ApiServer(access, rate);
        return new HttpCluster(asked, new Lists(asked, PAGE), WATCH_LIFE);
    }

    /** The same with another page size and another lifetime of watch connections. */
    HttpCluster with(int newPage, Duration newWatchLife) {
        return new HttpCluster(server, lists.inPagesOf(newPage), newWatchLife);
    }

    /**
     * {@inheritDoc} For an optional kind, such as snapshots, the list is empty if the server's directory does not contain it.
     */
    @Override
    public Listing list(Kind kind, Selection selection) {
        return lists.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        if (lists.isMissing(kind)) {
            return server.later(watchLife, () -> listener.onEvent(WatchEvent.expired()));
        }
        HttpWatch watch = new HttpWatch(
                server,
                kind,
                ApiPath.all(kind, lists.version(kind)),
                ApiPath.select(kind, selection),
                revision,
                listener,
                watchLife,
                System::nanoTime);
        watch.begin(Exchange.HEAD);
        return watch;
    }

    /** Reads secrets of this cluster, each at its request; keeps none. */
    @Override
    public SecretResolver secrets() {
        return new HttpSecrets(server);
    }

    /**
     * Reads config maps and requests tokens of this cluster.
     *
     * @param nodeName the node whose pods get the tokens
     */
    @Override
    public ConfigResolver configs(String nodeName) {
        return new HttpConfigs(server, lists, nodeName);
    }

    /**
     * Asks this cluster for permissions to read the blocks of snapshots.
     *
     * @param audience that tokens must have
     */
    public SnapshotAccess snapshotAccess(String audience) {
        return new HttpSnapshotAccess(server, audience);
    }

    /** {@inheritDoc} The request has no revision, so Kubernetes answers it from its store. */
    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        String what = "read " + key;
        return stored(what, key).map(tree -> ObjectReader.read(what, key, tree));
    }

    @Override
    public ApiObject create(ApiObject object) {
        String what = "create " + object.key();
        Map<String, @Nullable Object> tree;
        try {
            tree = Manifests.toTree(object);
        } catch (ManifestException unwritable) {
            throw new ClusterException(Reason.INVALID, what + ": " + unwritable.getMessage());
        }
        String version = lists.version(object.kind());
        tree.put("apiVersion", version);
        String path = ApiPath.collection(object.kind(), namespace(what, object.key()), version);
        return ObjectReader.read(what, object.key(), server.call(what, "", "POST", path, tree, ApiServer.JSON));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        String what = (patch.status() ? "patch status of " : "patch ") + key;
        MergePatch.requireOneSide(what, patch);
        if (!MergePatch.needsStored(patch)) {
            return send(what, key, patch.status(), MergePatch.of(patch.changes(), patch.preconditions()));
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return patchStored(what, key, patch);
            } catch (ClusterException failure) {
                boolean notTheirs = patch.preconditions().resourceVersion().isEmpty();
                if (failure.reason() != Reason.CONFLICT || !notTheirs || attempt == PATIENCE) {
                    throw failure;
                }
            }
        }
    }

    private ApiObject patchStored(String what, ObjectKey key, Patch patch) {
        Map<String, @Nullable Object> tree =
                stored(what, key).orElseThrow(() -> new ClusterException(Reason.NOT_FOUND, what + ": it is not there"));
        Preconditions wanted = patch.preconditions();
        Preconditions found =
                Preconditions.of(ObjectReader.read(what, key, tree).metadata());
        boolean held = (wanted.uid().isEmpty() || wanted.uid().equals(found.uid()))
                && (wanted.resourceVersion().isEmpty()
                        || wanted.resourceVersion().equals(found.resourceVersion()));
        if (!held) {
            throw new ClusterException(Reason.CONFLICT, what + ": expected was " + wanted + ", there is " + found);
        }
        return send(what, key, patch.status(), MergePatch.of(patch.changes(), found, tree));
    }

    private ApiObject send(String what, ObjectKey key, boolean status, Map<String, @Nullable Object> body) {
        String path = path(what, key) + (status ? "/status" : "");
        return ObjectReader.read(what, key, server.call(what, key.name(), "PATCH", path, body, ApiServer.MERGE_PATCH));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        String what = "delete " + key;
        Map<String, @Nullable Object> held = new LinkedHashMap<>();
        if (!preconditions.uid().isEmpty()) {
            held.put("uid", preconditions.uid());
        }
        if (!preconditions.resourceVersion().isEmpty()) {
            held.put("resourceVersion", preconditions.resourceVersion());
        }
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("apiVersion", "v1");
        options.put("kind", "DeleteOptions");
        options.put("preconditions", held);
        server.call(what, key.name(), "DELETE", path(what, key), options, ApiServer.JSON);
    }

    /**
     * The object as the server returns it; empty only if the server answers that it does not exist, or if no object can have this
     * name.
     */
    private Optional<Map<String, @Nullable Object>> stored(String what, ObjectKey key) {
        if (!ApiPath.canExist(key.namespace(), key.name())) {
            return Optional.empty();
        }
        ApiServer.Answer answer = server.ask(what, path(what, key));
        if (answer.code() == 404
                && server.refusal(what, key.name(), answer).reason() != Reason.NOT_FOUND
                && lists.findVersion(key.kind())) {
            // A process that never lists the kind learns its version here.
            answer = server.ask(what, path(what, key));
        }
        try {
            return Optional.of(server.content(what, key.name(), answer));
        } catch (ClusterException failure) {
            if (failure.reason() == Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private String path(String what, ObjectKey key) {
        namespace(what, key);
        return ApiPath.object(key, lists.version(key.kind()));
    }

    /** Without a namespace the path would be that of another collection, and with dots as a name that of another object. */
    private static String namespace(String what, ObjectKey key) {
        boolean misplaced = key.kind().namespaced() && key.namespace().isEmpty();
        if (misplaced || dots(key.name()) || dots(key.namespace())) {
            throw new ClusterException(Reason.INVALID, what + ": no name of a stored object");
        }
        return key.namespace();
    }

    private static boolean dots(String name) {
        return name.equals(".") || name.equals("..");
    }

    /** Stops the timer; the owner of an open watch must close it. */
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "HttpCluster" + server.at();
    }
}
