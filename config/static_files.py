"""Static files whose names carry a hash of their content, so that browsers keep them for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Renames the modules of static/js also where other modules import them."""

    support_js_module_import_aggregation = True
    # A pass settles the names of one level of imports; Django ends with an error after the last.
    max_post_process_passes = 15
