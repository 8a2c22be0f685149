package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.SecretRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a class: those for the driver and those for the library. As in Kubernetes, keys that begin with
 * {@code csi.storage.k8s.io/} name the filesystem and the secrets for each kind of call. Names of secrets may contain {@code
 * ${pv.name}}, {@code ${pvc.name}}, {@code ${pvc.namespace}} and {@code ${pvc.annotations['key']}}. A secret's namespace may contain
 * only {@code ${pv.name}} and {@code ${pvc.namespace}}, because the user of a claim chooses the others.
 *
 * <p>{@value #SNAPSHOT_PLACES} of a snapshot class says from where its snapshots must be usable. It is a list of places with
 * semicolons between them, the preferred first. Each place is a list of segments with commas between them.
 *
 * @param forDriver the parameters for CreateVolume
 * @param fsType {@code ""} for the driver's choice
 * @param snapshotPlaces a snapshot must be usable from one of them; empty for the driver's choice
 */
record ClassParameters(
        Map<String, String> forDriver,
        String fsType,
        Map<SecretUse, SecretRef> secrets,
        List<Map<String, String>> snapshotPlaces) {
    static final String SNAPSHOT_PLACES = "volume4j.io/snapshot-topology";
    static final String PREFIX = "csi.storage.k8s.io/";
    private static final String FS_TYPE = PREFIX + "fstype";
    private static final String OLD_FS_TYPE = "fstype";

    /** The secret of a storage class for every call that has none of its own. A snapshot class has none. */
    private static final String DEFAULT_SECRET = PREFIX + "secret-";

    /** Parameters that tell a driver for which objects it creates a snapshot. */
    private static final Set<String> METADATA = Set.of(
            PREFIX + "volumesnapshot/name",
            PREFIX + "volumesnapshot/namespace",
            PREFIX + "volumesnapshotcontent/name",
            PREFIX + "volumegroupsnapshot/name",
            PREFIX + "volumegroupsnapshot/namespace",
            PREFIX + "volumegroupsnapshotcontent/name");

    private static final Pattern TOKEN = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern ANNOTATION = Pattern.compile("pvc\\.annotations\\['([^']+)']");

    /** The purpose of a secret. */
    enum SecretUse {
        PROVISIONER,
        CONTROLLER_PUBLISH,
        NODE_STAGE,
        NODE_PUBLISH,
        CONTROLLER_EXPAND,
        NODE_EXPAND,
        SNAPSHOTTER,
        SNAPSHOTTER_LIST;

        private final String key = PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-') + "-secret-";
    }

    ClassParameters {
        forDriver = Collections.unmodifiableMap(new TreeMap<>(forDriver));
        secrets = Collections.unmodifiableMap(new TreeMap<>(secrets));
        snapshotPlaces = List.copyOf(snapshotPlaces);
    }

    /**
     * The parameters of a class for one volume or snapshot.
     *
     * @param claim null if there is none, as for snapshots
     * @throws VolumeException final, if a key with the library's prefix is unknown or a name cannot be resolved
     */
    static ClassParameters of(
            Map<String, String> parameters, String volumeName, @Nullable PersistentVolumeClaim claim) {
        Map<String, String> rest = new TreeMap<>(parameters);
        String fsType = fsType(rest);
        String places = rest.remove(SNAPSHOT_PLACES);
        SecretRef byDefault = claim == null ? null : secret(rest, DEFAULT_SECRET, volumeName, claim);
        Map<SecretUse, SecretRef> secrets = new TreeMap<>();
        for (SecretUse use : SecretUse.values()) {
            SecretRef own = secret(rest, use.key, volumeName, claim);
            if (own != null) {
                secrets.put(use, own);
            } else if (byDefault != null) {
                secrets.put(use, byDefault);
            }
        }
        for (String key : rest.keySet()) {
            if (key.startsWith(PREFIX) && !METADATA.contains(key)) {
                throw invalid("\"" + key + "\" is not a parameter that is known");
            }
        }
        return new ClassParameters(rest, fsType, secrets, places == null ? List.of() : places(places));
    }

    /** The parameters for a call without secrets. Their names may belong to a claim, so none is resolved. */
    static Map<String, String> forDriverOnly(Map<String, String> parameters) {
        Map<String, String> rest = new TreeMap<>(parameters);
        rest.remove(DEFAULT_SECRET + "name");
        rest.remove(DEFAULT_SECRET + "namespace");
        for (SecretUse use : SecretUse.values()) {
            rest.remove(use.key + "name");
            rest.remove(use.key + "namespace");
        }
        return of(rest, "", null).forDriver();
    }

    /** Takes the filesystem out of the parameters. As with external-provisioner, the driver gets the old key too. */
    private static String fsType(Map<String, String> rest) {
        List<String> named = rest.keySet().stream()
                .filter(key -> key.equals(FS_TYPE) || key.equalsIgnoreCase(OLD_FS_TYPE))
                .toList();
        if (named.size() > 1) {
            throw invalid("\"" + String.join("\" and \"", named) + "\" name the filesystem twice");
        }
        String fsType = named.isEmpty() ? "" : Objects.requireNonNullElse(rest.get(named.get(0)), "");
        rest.remove(FS_TYPE);
        return fsType;
    }

    private static List<Map<String, String>> places(String text) {
        List<Map<String, String>> places = new ArrayList<>();
        for (String place : text.split(";", -1)) {
            Map<String, String> segments = new TreeMap<>();
            for (String segment : place.split(",", -1)) {
                int equals = segment.indexOf('=');
                String key = equals < 1 ? "" : segment.substring(0, equals).strip();
                String value = equals < 1 ? "" : segment.substring(equals + 1).strip();
                if (key.isEmpty() || value.isEmpty() || segments.put(key, value) != null) {
                    throw invalid("\"" + SNAPSHOT_PLACES + "\" is not of the form KEY=VALUE,KEY=VALUE;KEY=VALUE");
                }
            }
            places.add(Collections.unmodifiableMap(segments));
        }
        return places;
    }

    /**
     * The parameters that tell a driver for which claim it creates a volume; the names are those of the external provisioner.
     */
    static Map<String, String> whoAsks(String volumeName, PersistentVolumeClaim claim) {
        return Map.of(
                PREFIX + "pv/name", volumeName,
                PREFIX + "pvc/name", claim.metadata().name(),
                PREFIX + "pvc/namespace", claim.metadata().namespace());
    }

    Optional<SecretRef> secret(SecretUse use) {
        return Optional.ofNullable(secrets.get(use));
    }

    /** Takes the secret out of the parameters; null if they name none. */
    private static @Nullable SecretRef secret(
            Map<String, String> rest, String key, String volumeName, @Nullable PersistentVolumeClaim claim) {
        String name = rest.remove(key + "name");
        String namespace = rest.remove(key + "namespace");
        if (name == null && namespace == null) {
            return null;
        }
        if (name == null || namespace == null) {
            throw invalid("\"" + key + "name\" and \"" + key + "namespace\" need each other");
        }
        return new SecretRef(
                resolve(namespace, volumeName, claim, key, false), resolve(name, volumeName, claim, key, true));
    }

    private static String resolve(
            String template, String volumeName, @Nullable PersistentVolumeClaim claim, String key, boolean inName) {
        Matcher token = TOKEN.matcher(template);
        StringBuilder text = new StringBuilder();
        while (token.find()) {
            String value = value(token.group(1), volumeName, claim, inName);
            if (value == null) {
                throw invalid("\"" + token.group() + "\" in \"" + key + (inName ? "name" : "namespace")
                        + "\" stands for nothing here");
            }
            token.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        return token.appendTail(text).toString();
    }

    private static @Nullable String value(
            String name, String volumeName, @Nullable PersistentVolumeClaim claim, boolean inName) {
        if (name.equals("pv.name") || name.equals("volumesnapshotcontent.name")) {
            return volumeName;
        }
        if (claim == null) {
            return null;
        }
        if (name.equals("pvc.namespace")) {
            return claim.metadata().namespace();
        }
        if (!inName) {
            return null;
        }
        Matcher annotation = ANNOTATION.matcher(name);
        if (annotation.matches()) {
            return claim.metadata().annotations().get(annotation.group(1));
        }
        return name.equals("pvc.name") ? claim.metadata().name() : null;
    }

    private static VolumeException invalid(String why) {
        return VolumeException.finalFailure("the class's parameters are not valid: " + why)
                .withAdvice("correct the parameters of the storage class");
    }
}
