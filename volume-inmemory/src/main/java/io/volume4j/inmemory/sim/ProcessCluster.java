package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.CallGate.Phase;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Optional;
import java.util.function.Supplier;

/** The cluster as one process sees it, over a network that can fail at each end of each request. */
final class ProcessCluster implements ClusterSource, ClusterWriter {
    private final SimProcess process;
    private final Simulation world;
    private final InMemoryCluster cluster;
    private final Traffic traffic;
    private final Weather weather;

    ProcessCluster(SimProcess process) {
        this.process = process;
        this.world = process.world();
        this.cluster = world.cluster();
        this.traffic = world.traffic();
        this.weather = world.weather();
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        Listing listing = request("list", kind.apiName(), "", () -> {
            if (world.visibility().incomplete(kind)) {
                throw new ClusterException(
                        ClusterException.Reason.UNAVAILABLE,
                        "not all objects of kind " + kind.apiName() + " are known");
            }
            if (weather.strikes(weather.turbulence().staleList())) {
                cluster.listBehind(1 + weather.fate().nextInt(3));
            }
            try {
                return cluster.list(kind, selection);
            } finally {
                cluster.listBehind(0);
            }
        });
        process.load().listed(listing.objects().size());
        world.judge().listed(process, kind);
        return listing;
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        WatchPipe pipe = new WatchPipe(kind, process, world.scheduler(), weather, listener);
        process.remember(pipe);
        pipe.upstream(cluster.watch(kind, selection, revision, pipe));
        return pipe;
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return request("read", key.toString(), "", () -> cluster.readLive(key));
    }

    @Override
    public int compareRevisions(String left, String right) {
        return cluster.compareRevisions(left, right);
    }

    @Override
    public ApiObject create(ApiObject object) {
        return request("create", object.key().toString(), object, () -> cluster.create(object));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return request(
                patch.status() ? "patchStatus" : "patch", key.toString(), patch, () -> cluster.patch(key, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        request("delete", key.toString(), "", () -> {
            cluster.delete(key, preconditions);
            return true;
        });
    }

    private <T> T request(String verb, String subject, Object content, Supplier<T> effect) {
        CallSite site = new CallSite(verb, subject, process.name());
        requireReachable(site);
        traffic.cluster(site, Phase.ISSUED, process);
        T result;
        try {
            result = effect.get();
        } catch (ClusterException refused) {
            world.judge().refused(process, site.toString(), refused);
            throw refused;
        }
        if (writes(verb)) {
            process.load().wrote();
            world.judge().written(process, site.toString(), content);
        }
        traffic.cluster(site, Phase.EFFECTED, process);
        requireReachable(site);
        return result;
    }

    private static boolean writes(String verb) {
        return !verb.equals("list") && !verb.equals("read");
    }

    private void requireReachable(CallSite site) {
        if (process.partitioned()) {
            throw new ClusterException(
                    ClusterException.Reason.UNAVAILABLE, site + ": no way from " + process.name() + " to the cluster");
        }
    }
}
