package io.volume4j.core.migration;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.SecretRef;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Azure file shares. A share's handle contains its resource group, account, name, the volume's name and the secret's
 * namespace.
 */
final class AzureFile extends InTree {
    private static final String GROUP = "kubernetes.io/azure-file-resource-group";
    private static final Pattern ACCOUNT = Pattern.compile("azure-storage-account-(.+)-secret");
    private static final String SHARE = "shareName";

    AzureFile() {
        super("kubernetes.io/azure-file", "azureFile", "file.csi.azure.com", "");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String share = Fields.text(source, SHARE);
        String secret = Fields.text(source, "secretName");
        if (share.isEmpty() || secret.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it needs shareName and secretName");
        }
        String given = Fields.text(source, "secretNamespace");
        String elsewhere = around.namespace().isEmpty() ? "default" : around.namespace();
        String namespace = given.isEmpty() ? elsewhere : given;
        Matcher account = ACCOUNT.matcher(secret);
        String handle = String.join(
                "#",
                around.meta().annotation(GROUP),
                account.matches() ? account.group(1) : secret,
                share,
                around.meta().name(),
                namespace);
        return new CsiSource(
                driver(),
                handle,
                Fields.flag(source, "readOnly"),
                "",
                Map.of(SHARE, share),
                null,
                new SecretRef(namespace, secret),
                null,
                null,
                null);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        String[] parts = parts(source);
        @Nullable SecretRef secret = source.nodeStageSecretRef();
        if (secret == null && parts.length < 3) {
            throw invalid(
                    "of volume " + around.meta().name(),
                    "\"" + source.volumeHandle() + "\" is not a volume handle of this driver");
        }
        String share = source.volumeAttributes().getOrDefault(SHARE, parts.length < 3 ? "" : parts[2]);
        return new Fields.Building(sourceType())
                .text("secretName", secret == null ? "azure-storage-account-" + parts[1] + "-secret" : secret.name())
                .text("secretNamespace", secret == null ? (parts.length < 5 ? "" : parts[4]) : secret.namespace())
                .text(SHARE, share)
                .flag("readOnly", source.readOnly())
                .build();
    }

    @Override
    Map<String, String> inTreeAnnotations(CsiSource source) {
        String group = parts(source)[0];
        return group.isEmpty() || parts(source).length < 3 ? Map.of() : Map.of(GROUP, group);
    }

    @Override
    List<AccessMode> inlineModes(CsiSource source) {
        return List.of(AccessMode.READ_WRITE_MANY);
    }

    /** The driver accepts the parameters unchanged. */
    @Override
    void parameter(String word, String key, String value, Map<String, String> parameters) {
        parameters.put(key, value);
    }

    private static String[] parts(CsiSource source) {
        return source.volumeHandle().split("#", -1);
    }
}
