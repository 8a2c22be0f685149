package io.volume4j.core.codec;

import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Volume sources. A source is under its own key ({@code nfs:}, {@code csi:}, …) among other fields. Sources without a
 * record are kept unchanged.
 */
final class SourceShapes {
    /** All keys of sources in old and new manifests. Any other key of a spec is a field and not a source. */
    private static final Set<String> KEYS = Set.of(
            "awsElasticBlockStore",
            "azureDisk",
            "azureFile",
            "cephfs",
            "cinder",
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "fc",
            "flexVolume",
            "flocker",
            "gcePersistentDisk",
            "gitRepo",
            "glusterfs",
            "hostPath",
            "image",
            "iscsi",
            "local",
            "nfs",
            "persistentVolumeClaim",
            "photonPersistentDisk",
            "portworxVolume",
            "projected",
            "quobyte",
            "rbd",
            "scaleIO",
            "secret",
            "storageos",
            "vsphereVolume");

    /** Flat addressing has 14 bits; SAM-4. */
    private static final int MOST_UNITS = 16_383;

    private static final OtherSource NO_SOURCE = new OtherSource("", Map.of());

    private SourceShapes() {}

    /** The source of a PersistentVolume; one of type {@code ""} if there is none. */
    static VolumeSource readOfVolume(Fields spec) {
        String key = onlyKey(spec);
        if (key.equals("persistentVolumeClaim")) {
            throw spec.wrong(key, "is a source of pods: a PersistentVolume needs the storage itself");
        }
        if (key.isEmpty()) {
            return NO_SOURCE;
        }
        VolumeSource source = read(spec, key);
        if (source instanceof CsiSource csi && csi.volumeHandle().isEmpty()) {
            throw spec.object(key).missing("volumeHandle", "write the driver's name for the volume");
        }
        return source;
    }

    private static @Nullable Integer modeOf(Fields emptyDir) {
        Long mode = emptyDir.number("mode");
        if (mode == null) {
            return null;
        }
        if (mode < 0 || mode > 01777) {
            throw emptyDir.wrong("mode", "must be between 0000 and 01777, in octal notation");
        }
        return mode.intValue();
    }

    /** The source of a pod's volume; like Kubernetes, an {@code emptyDir} if there is none. */
    static VolumeSource readOfPod(Fields volume) {
        String key = onlyKey(volume);
        if (!key.isEmpty()) {
            return read(volume, key);
        }
        List<String> unknown = volume.keys().stream()
                .filter(name -> volume.raw(name) instanceof Map)
                .toList();
        return switch (unknown.size()) {
            case 0 -> new EmptyDirSource("", null);
            case 1 -> other(volume, unknown.get(0));
            default -> throw tooMany(volume, unknown);
        };
    }

    private static String onlyKey(Fields fields) {
        List<String> keys = fields.keys().stream().filter(KEYS::contains).toList();
        for (String key : keys) {
            if (!fields.has(key) && !key.equals("emptyDir")) {
                throw fields.wrong(key, "is empty: write its fields below it, indented further, or leave it out");
            }
        }
        if (keys.size() > 1) {
            throw tooMany(fields, keys);
        }
        return keys.isEmpty() ? "" : keys.get(0);
    }

    private static InvalidField tooMany(Fields fields, List<String> keys) {
        return fields.wrong(
                keys.get(1), "is a second source, in addition to " + keys.get(0) + ": a volume has exactly one source");
    }

    private static VolumeSource read(Fields parent, String key) {
        Fields source = parent.object(key);
        return switch (key) {
            case "persistentVolumeClaim" ->
                new ClaimSource(
                        source.requiredName("claimName", NameRule.SUBDOMAIN, "write the claim's name"),
                        source.flag("readOnly"));
            case "csi" -> readCsi(source);
            case "emptyDir" -> new EmptyDirSource(source.text("medium"), source.amount("sizeLimit"), modeOf(source));
            case "fc" -> readFc(source);
            case "iscsi" -> readIscsi(source);
            case "flexVolume" ->
                new FlexVolumeSource(
                        source.requiredName("driver", NameRule.QUALIFIED, "write vendor/driver"),
                        source.text("fsType"),
                        source.flag("readOnly"),
                        source.textMap("options"),
                        readSecret(source, "secretRef"));
            case "hostPath" ->
                new HostPathSource(source.requiredText("path", "write the path on the node"), source.text("type"));
            case "local" ->
                new LocalSource(source.requiredText("path", "write the path on the node"), source.text("fsType"));
            case "nfs" ->
                new NfsSource(
                        source.requiredText("server", "write the server's host name or address"),
                        source.requiredText("path", "write the path that the server exports"),
                        source.flag("readOnly"));
            default -> other(parent, key);
        };
    }

    private static VolumeSource readCsi(Fields source) {
        return new CsiSource(
                source.requiredName("driver", NameRule.DRIVER, "write the driver's name"),
                source.text("volumeHandle"),
                source.flag("readOnly"),
                source.text("fsType"),
                source.textMap("volumeAttributes"),
                readSecret(source, "controllerPublishSecretRef"),
                readSecret(source, "nodeStageSecretRef"),
                readSecret(source, "nodePublishSecretRef"),
                readSecret(source, "controllerExpandSecretRef"),
                readSecret(source, "nodeExpandSecretRef"));
    }

    private static IscsiSource readIscsi(Fields source) {
        return new IscsiSource(
                source.requiredText("targetPortal", "write the target's address, host:port"),
                source.requiredText("iqn", "write the target's name"),
                unit(source),
                source.text("iscsiInterface"),
                source.text("fsType"),
                source.flag("readOnly"),
                source.texts("portals"),
                source.flag("chapAuthDiscovery"),
                source.flag("chapAuthSession"),
                readSecret(source, "secretRef"),
                source.text("initiatorName"));
    }

    private static FcSource readFc(Fields source) {
        return new FcSource(
                source.texts("targetWWNs"),
                source.has("lun") ? unit(source) : null,
                source.text("fsType"),
                source.flag("readOnly"),
                source.texts("wwids"));
    }

    /** The number of a logical unit. */
    private static int unit(Fields source) {
        Long number = source.number("lun");
        if (number == null || number < 0 || number > MOST_UNITS) {
            throw source.wrong("lun", "must be a number from 0 to " + MOST_UNITS);
        }
        return number.intValue();
    }

    private static @Nullable SecretRef readSecret(Fields source, String key) {
        Fields secret = source.optionalObject(key);
        return secret == null
                ? null
                : new SecretRef(
                        secret.name("namespace", NameRule.LABEL),
                        secret.requiredName("name", NameRule.SUBDOMAIN, "write the secret's name"));
    }

    private static OtherSource other(Fields parent, String key) {
        Fields source = parent.object(key);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        source.keys().forEach(name -> fields.put(name, source.raw(name)));
        return new OtherSource(key, fields);
    }

    /** Adds the source under its key to the fields. */
    static Written write(Written fields, VolumeSource source) {
        if (source instanceof OtherSource other) {
            return other.type().isEmpty() ? fields : fields.free(other.type(), other.fields());
        }
        return fields.object(source.type(), fieldsOf(source));
    }

    private static Written fieldsOf(VolumeSource source) {
        if (source instanceof ClaimSource claim) {
            return Written.whole().text("claimName", claim.claimName()).flag("readOnly", claim.readOnly());
        }
        if (source instanceof CsiSource csi) {
            return writeCsi(csi);
        }
        if (source instanceof EmptyDirSource directory) {
            return Written.whole()
                    .text("medium", directory.medium())
                    .amount("sizeLimit", directory.sizeLimit())
                    .number(
                            "mode",
                            directory.mode() == null ? null : directory.mode().longValue());
        }
        if (source instanceof IscsiSource iscsi) {
            return writeIscsi(iscsi);
        }
        if (source instanceof FcSource fc) {
            return Written.whole()
                    .scalars("targetWWNs", fc.targetWwns())
                    .number("lun", fc.lun() == null ? null : fc.lun().longValue())
                    .text("fsType", fc.fsType())
                    .flag("readOnly", fc.readOnly())
                    .scalars("wwids", fc.wwids());
        }
        if (source instanceof FlexVolumeSource flex) {
            return writeSecret(
                    Written.whole()
                            .text("driver", flex.driver())
                            .text("fsType", flex.fsType())
                            .flag("readOnly", flex.readOnly())
                            .map("options", flex.options()),
                    "secretRef",
                    flex.secretRef());
        }
        if (source instanceof HostPathSource host) {
            return Written.whole().text("path", host.path()).text("type", host.pathType());
        }
        if (source instanceof LocalSource local) {
            return Written.whole().text("path", local.path()).text("fsType", local.fsType());
        }
        if (source instanceof NfsSource nfs) {
            return Written.whole()
                    .text("server", nfs.server())
                    .text("path", nfs.path())
                    .flag("readOnly", nfs.readOnly());
        }
        throw new IllegalStateException("no shape for source " + source.type());
    }

    private static Written writeCsi(CsiSource csi) {
        Written fields = Written.whole()
                .text("driver", csi.driver())
                .text("volumeHandle", csi.volumeHandle())
                .flag("readOnly", csi.readOnly())
                .text("fsType", csi.fsType())
                .map("volumeAttributes", csi.volumeAttributes());
        writeSecret(fields, "controllerPublishSecretRef", csi.controllerPublishSecretRef());
        writeSecret(fields, "nodeStageSecretRef", csi.nodeStageSecretRef());
        writeSecret(fields, "nodePublishSecretRef", csi.nodePublishSecretRef());
        writeSecret(fields, "controllerExpandSecretRef", csi.controllerExpandSecretRef());
        return writeSecret(fields, "nodeExpandSecretRef", csi.nodeExpandSecretRef());
    }

    private static Written writeIscsi(IscsiSource iscsi) {
        return writeSecret(
                Written.whole()
                        .text("targetPortal", iscsi.targetPortal())
                        .text("iqn", iscsi.iqn())
                        .number("lun", (long) iscsi.lun())
                        .text("iscsiInterface", iscsi.iscsiInterface())
                        .text("fsType", iscsi.fsType())
                        .flag("readOnly", iscsi.readOnly())
                        .scalars("portals", iscsi.portals())
                        .flag("chapAuthDiscovery", iscsi.chapAuthDiscovery())
                        .flag("chapAuthSession", iscsi.chapAuthSession())
                        .text("initiatorName", iscsi.initiatorName()),
                "secretRef",
                iscsi.secretRef());
    }

    private static Written writeSecret(Written fields, String key, @Nullable SecretRef secret) {
        return secret == null
                ? fields
                : fields.object(key, Written.whole().text("name", secret.name()).text("namespace", secret.namespace()));
    }
}
