package io.volume4j.examples.agent;

import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.commandline.ConfigManifest;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdCluster;
import io.volume4j.examples.etcd.EtcdConfigs;
import io.volume4j.examples.etcd.EtcdElection;
import io.volume4j.examples.etcd.EtcdSecrets;
import io.volume4j.examples.etcd.SealingKeys;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster in etcd: its objects, its secrets if there is a key file, and its config maps, over one connection. */
final class EtcdHost implements HostCluster {
    private final EtcdClient etcd;
    private final EtcdCluster cluster;
    private final @Nullable SealingKeys keys;

    /**
     * Owns the client.
     *
     * @param keys null if the process has no key file; then it reads no secrets
     * @param leader the election that permits the writes of this process, null for a process that may always write
     */
    EtcdHost(EtcdClient etcd, @Nullable SealingKeys keys, @Nullable EtcdElection leader) {
        this.etcd = etcd;
        this.keys = keys;
        EtcdCluster.Builder builder = EtcdCluster.builder(etcd);
        cluster = (leader == null ? builder : builder.onlyAs(leader)).build();
    }

    EtcdClient etcd() {
        return etcd;
    }

    @Override
    public SecretResolver secrets() {
        if (keys != null) {
            return new EtcdSecrets(etcd, keys);
        }
        return reference -> {
            throw VolumeException.transientFailure("secret " + OneLine.name(reference.namespace()) + "/"
                            + OneLine.name(reference.name()) + " cannot be read: this process has no key file")
                    .withAdvice("start it with --secrets-key FILE");
        };
    }

    @Override
    public ConfigResolver configs(String nodeName) {
        return new EtcdConfigs(etcd);
    }

    /** Stores secrets and config maps, which are separate from the objects. */
    @Override
    public Optional<String> store(Map<String, @Nullable Object> tree) {
        Optional<ConfigManifest> read = ConfigManifest.of(tree);
        read.ifPresent(config -> {
            if (!config.secret()) {
                new EtcdConfigs(etcd).put(config.namespace(), config.name(), config.entries());
            } else if (keys == null) {
                throw new Usage(config + " cannot be encrypted: this process has no key file; give --secrets-key FILE");
            } else {
                new EtcdSecrets(etcd, keys).put(config.namespace(), config.name(), config.entries());
            }
        });
        return read.map(ConfigManifest::toString);
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return cluster.readLive(key);
    }

    @Override
    public ApiObject create(ApiObject object) {
        return cluster.create(object);
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return cluster.patch(key, patch);
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        cluster.delete(key, preconditions);
    }

    @Override
    public void close() {
        etcd.close();
    }
}
