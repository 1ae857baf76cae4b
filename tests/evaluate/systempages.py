# ruff: noqa: E501 -- lines of markup are easier to read whole
"""Small pages as widespread publishing systems write them, with what is to be read in each."""

from typing import NamedTuple

LATE = "The ferry to the island was late again on Tuesday, and the people on the quay had long stopped asking why."
PROMISED = "A new engine was promised before the winter, said the harbour master, but the ship that was to bring it is still in a yard two hundred miles up the coast."
STILL_OLD = "Until then the old one will have to do. It has done so for thirty years, and nobody on the island would bet against it, although some have started to row."
WAITED = "I waited two full hours in the rain and nobody said a word to us, that is not acceptable."
THANKED = "Thanks for this piece, my grandfather worked on that boat for most of his life."
TEXT = f"<p>{LATE}</p><p>{PROMISED}</p><p>{STILL_OLD}</p>"


class SystemPage(NamedTuple):
    """A page, pieces of its text and of what stands round it, and what it says of itself."""

    name: str
    html: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()
    title: str = ""
    author: str = ""
    date: str = ""
    comments: tuple[str, ...] = ()


PAGES: list[SystemPage] = []


def add(
    name: str, html: str, want: tuple[str, ...] = (LATE, PROMISED, STILL_OLD), **rest: object
) -> None:
    PAGES.append(SystemPage(name, html, want, **rest))


add(
    "wordpress",
    f"""<!DOCTYPE html><html lang="en-US"><head><title>Ferry late again &#8211; Harbour Blog</title><meta name="generator" content="WordPress 6.4"><link rel="canonical" href="https://harbour.example/2021/03/02/ferry-late-again/"></head>
<body class="post-template-default single single-post postid-12"><a class="skip-link screen-reader-text" href="#content">Skip to content</a><header id="masthead"><p class="site-title"><a href="/">Harbour Blog</a></p><p class="site-description">News from the quay</p><nav id="site-navigation"><button class="menu-toggle">Menu</button><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav></header>
<div id="content"><main><article id="post-12" class="post-12 post type-post"><header class="entry-header"><h1 class="entry-title">Ferry late again</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="#"><time class="entry-date published" datetime="2021-03-02T10:00:00+00:00">March 2, 2021</time></a></span><span class="byline"> by <span class="author vcard"><a class="url fn n" href="/author/mira">Mira Joshi</a></span></span></div></header>
<div class="entry-content">{TEXT}<div class="sharedaddy"><h3>Share this:</h3><ul><li><a href="#">Twitter</a></li><li><a href="#">Facebook</a></li></ul></div><div class="wp-block-group"><h2>Subscribe to our newsletter</h2><p>Get the best stories from the harbour delivered to your inbox every Friday morning.</p><form><input type=email><button>Subscribe</button></form></div></div>
<footer class="entry-footer"><span class="cat-links">Posted in <a href="/c/boats">Boats</a></span><span class="tags-links">Tagged <a href="/t/ferry">ferry</a>, <a href="/t/island">island</a></span></footer></article>
<nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2><div class="nav-previous"><a href="/p">Previous: New market opens in the middle of town</a></div></nav>
<div id="comments" class="comments-area"><h2 class="comments-title">2 thoughts on &ldquo;Ferry late again&rdquo;</h2><ol class="comment-list"><li id="comment-1" class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Sam</b> <span class="says">says:</span></div><time datetime="2021-03-03T09:00:00+00:00">March 3, 2021 at 9:00 am</time></footer><div class="comment-content"><p>{WAITED}</p></div><div class="reply"><a href="#">Reply</a></div></article></li><li id="comment-2" class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Lea</b></div></footer><div class="comment-content"><p>{THANKED}</p></div></article></li></ol><div id="respond"><h3>Leave a Reply</h3><p class="comment-notes">Your email address will not be published. Required fields are marked *</p></div></div></main></div>
<aside id="secondary"><section class="widget widget_recent_entries"><h2>Recent Posts</h2><ul><li><a href="/a">The youth team wins its last match of the season</a></li><li><a href="/b">Bread gets more expensive this week</a></li></ul></section></aside><footer><p>Proudly powered by WordPress</p></footer></body></html>""",
    unwanted=(
        WAITED,
        "Subscribe to our",
        "your inbox",
        "Recent Posts",
        "Proudly",
        "email address",
        "youth team",
        "Share this",
    ),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
    comments=(WAITED, THANKED),
)

add(
    "blogger",
    f"""<html dir='ltr'><head><meta content='blogger' name='generator'/><title>Harbour Notes: Ferry late again</title></head><body class='variant-simplysimple'><div class='navbar section' id='navbar'></div><div class='header-outer'><h1 class='title'><a href='/'>Harbour Notes</a></h1></div>
<div class='main-outer'><div class='columns'><div class='column-center-outer'><div class='main section' id='main'><div class='widget Blog' id='Blog1'><div class='blog-posts hfeed'><div class="date-outer"><h2 class='date-header'><span>Tuesday, March 2, 2021</span></h2><div class="date-posts"><div class='post-outer'><div class='post hentry'><h3 class='post-title entry-title'>Ferry late again</h3><div class='post-body entry-content'>{LATE}<br /><br />{PROMISED}<br /><br />{STILL_OLD}<div style='clear: both;'></div></div>
<div class='post-footer'><div class='post-footer-line'><span class='post-author vcard'>Posted by <span class='fn'><span itemprop='name'>Mira Joshi</span></span></span> <span class='post-timestamp'>at <a class='timestamp-link' href='/2021/03/f.html'><abbr class='published' title='2021-03-02T10:00:00Z'>10:00 AM</abbr></a></span></div><div class='post-footer-line'>Labels: <a href='/l'>boats</a></div></div></div>
<div class='comments' id='comments'><h4>2 comments:</h4><dl id='comments-block'><dt class='comment-author'>Sam said...</dt><dd class='comment-body'><p>{WAITED}</p></dd><dd class='comment-footer'><span>March 3, 2021 at 9:00 AM</span></dd><dt class='comment-author'>Lea said...</dt><dd class='comment-body'><p>{THANKED}</p></dd><dd class='comment-footer'><span>March 4, 2021 at 9:00 AM</span></dd></dl><p class='comment-footer'><a href='#'>Post a Comment</a></p></div></div></div></div></div><div class='blog-pager'><a href='/n'>Newer Post</a> <a href='/o'>Older Post</a> <a href='/'>Home</a></div><div class='blog-feeds'>Subscribe to: <a href='/f'>Post Comments (Atom)</a></div></div></div></div>
<div class='column-right-outer'><aside><div class='widget BlogArchive'><h2>Blog Archive</h2><ul><li><a href='/2021'>2021</a> (12)</li><li><a href='/2020'>2020</a> (48)</li></ul></div><div class='widget Profile'><h2>About Me</h2><p>I live on the quay and write about boats and those who wait for them.</p></div></aside></div></div></div></body></html>""",
    unwanted=(WAITED, "Blog Archive", "I live on the quay", "Newer Post"),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
    comments=(WAITED, THANKED),
)

ASKED = "Has anybody here ever replaced the pump on the old model without taking out the whole engine? Mine has started to drip and I would rather not pay the garage."
ANSWERED = "Yes, I did it last summer. You have to loosen the bracket on the left first, then there is just enough room to reach the bolts with a long key."
ADVISED = "I would replace the belt at the same time. It costs next to nothing and you will not want to do all this again in the spring."
WORKED = "Thank you both, that worked."
add(
    "discourse",
    """<!DOCTYPE html><html lang="en"><head><title>Replacing the pump - Engines - Boat Forum</title><meta name="generator" content="Discourse 3.2.0"><link rel="canonical" href="https://forum.example/t/replacing-the-pump/123"></head><body class="crawler"><header><a href="/">Boat Forum</a></header><div id="main-outlet" class="wrap"><div id="topic-title"><h1><a href="/t/replacing-the-pump/123">Replacing the pump</a></h1><div class="topic-category"><span class="badge-category-name">Engines</span></div></div>
<div itemscope itemtype='http://schema.org/DiscussionForumPosting'>"""
    + "".join(
        f"""<div id='post_{i}'{" itemprop='comment' itemscope itemtype='http://schema.org/Comment'" if i > 1 else ""} class='topic-body crawler-post'><div class='crawler-post-meta'><span class="creator" itemprop="author" itemscope><a itemprop="url" href='/u/{u}'><span itemprop='name'>{u}</span></a></span><span class="crawler-post-infos"><time itemprop='datePublished' datetime='2021-03-0{i}T10:00:00Z' class='post-time'>March {i}, 2021, 10:00am</time><span itemprop='position'>{i}</span></span></div><div class='post' itemprop='text'><p>{t}</p></div><div itemprop='interactionStatistic'><span class='post-likes'>{i} Likes</span></div></div>"""
        for i, (u, t) in enumerate(
            (("mira", ASKED), ("sam", ANSWERED), ("lea", ADVISED), ("mira", WORKED)), 1
        )
    )
    + """</div></div><footer class="container"><nav><a href='/'>Home</a> <a href='/categories'>Categories</a> <a href='/guidelines'>Guidelines</a></nav><p>Powered by Discourse, best viewed with JavaScript enabled</p></footer></body></html>""",
    want=(ASKED, ANSWERED, ADVISED, WORKED),
    unwanted=("best viewed", "Guidelines"),
    title="Replacing the pump",
    author="mira",
    date="2021-03-01",
)

add(
    "phpbb",
    """<html dir="ltr" lang="en-gb"><head><title>Replacing the pump - Boat Forum</title></head><body id="phpbb" class="nojs section-viewtopic ltr"><div id="wrap"><div id="page-header"><div class="headerbar"><h1>Boat Forum</h1><p>All about engines</p></div><div class="navbar"><ul><li><a href="./index.php">Board index</a></li><li><a href="./faq.php">FAQ</a></li><li><a href="./login">Login</a></li></ul></div></div><div id="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=1">Replacing the pump</a></h2><div class="action-bar"><div class="pagination">4 posts &bull; Page <strong>1</strong> of <strong>1</strong></div></div>"""
    + "".join(
        f"""<div id="p{i}" class="post bg{i % 2 + 1}"><div class="inner"><dl class="postprofile"><dt><a href="./member">{u}</a></dt><dd>Posts: {i * 12}</dd><dd>Joined: Tue Mar 0{i}, 2011 1:00 pm</dd></dl><div class="postbody"><h3><a href="#p{i}">Re: Replacing the pump</a></h3><p class="author">by <strong><a href="./m">{u}</a></strong> &raquo; Mon Mar 0{i}, 2021 10:00 am</p><div class="content">{t}</div><div class="signature">Life is better on the water, and always was.</div></div><div class="back2top"><a href="#wrap">Top</a></div></div></div>"""
        for i, (u, t) in enumerate(
            (("mira", ASKED), ("sam", ANSWERED), ("lea", ADVISED), ("mira", WORKED)), 1
        )
    )
    + """<div class="action-bar">Return to <a href="./viewforum">Engines</a></div><div class="stat-block"><h3>Who is online</h3><p>Users browsing this forum: No registered users and 3 guests</p></div></div><div id="page-footer">Powered by phpBB&reg; Forum Software &copy; phpBB Limited</div></div></body></html>""",
    want=(ASKED, ANSWERED, ADVISED, WORKED),
    unwanted=("Who is online", "Powered by", "Board index", "Joined"),
    title="Replacing the pump",
    author="mira",
    date="2021-03-01",
)

add(
    "mediawiki",
    f"""<html class="client-nojs" lang="en"><head><title>Island ferry - HarbourWiki</title><meta name="generator" content="MediaWiki 1.41"></head><body class="mediawiki ns-0 page-Island_ferry skin-vector"><div id="content" class="mw-body"><h1 id="firstHeading">Island ferry</h1><div id="bodyContent"><div id="siteSub">From HarbourWiki</div><div id="jump-to-nav"><a href="#mw-head">Jump to navigation</a></div><div id="mw-content-text"><div class="mw-parser-output"><table class="infobox"><tr><th>Built</th><td>1989</td></tr><tr><th>Speed</th><td>12 knots</td></tr></table><p>The <b>island ferry</b> is a <a href="/w/Ship">ship</a> that has crossed the bay every hour since 1989.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup></p><div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#History">1 History</a></li><li><a href="#Engine">2 Engine</a></li></ul></div><h2><span class="mw-headline" id="History">History</span><span class="mw-editsection">[<a href="#">edit</a>]</span></h2><p>{PROMISED}</p><h2><span class="mw-headline">Engine</span><span class="mw-editsection">[<a href="#">edit</a>]</span></h2><p>{STILL_OLD}</p><h2><span class="mw-headline">References</span></h2><ol class="references"><li id="cite_note-1"><span class="reference-text">Harbour Office: <i>Ships of the bay</i>, 1990.</span></li></ol></div></div><div class="printfooter">Retrieved from "https://wiki.example/Island_ferry"</div><div id="catlinks"><a href="/c">Categories</a>: <a href="/c/ships">Ships</a></div></div></div><div id="mw-navigation"><h2>Navigation menu</h2><div id="p-personal"><ul><li><a href="#">Log in</a></li></ul></div><div id="p-views"><ul><li><a>Read</a></li><li><a>View source</a></li><li><a>View history</a></li></ul></div></div><div id="footer"><ul><li>This page was last edited on 2 March 2021, at 10:00.</li><li>Content is available under CC BY-SA unless otherwise noted.</li></ul></div></body></html>""",
    want=("crossed the bay every hour", PROMISED, STILL_OLD),
    unwanted=("Navigation menu", "Content is available", "Jump to", "Retrieved from"),
    title="Island ferry",
)

add(
    "docusaurus",
    """<!doctype html><html lang="en" class="docs-wrapper"><head><meta name="generator" content="Docusaurus v3.1"><title>Configuration | Pumpkit</title></head><body><div id="__docusaurus"><nav class="navbar navbar--fixed-top"><a class="navbar__brand" href="/"><b>Pumpkit</b></a><a class="navbar__item" href="/docs">Docs</a><a href="/blog">Blog</a></nav><div class="theme-doc-wrapper"><aside class="theme-doc-sidebar-container"><ul class="theme-doc-sidebar-menu"><li><a class="menu__link" href="/docs/intro">Introduction</a></li><li><a class="menu__link" href="/docs/install">Installation</a></li><li><a class="menu__link menu__link--active" href="/docs/conf">Configuration</a></li></ul></aside><main><article><nav class="theme-doc-breadcrumbs"><ul><li><a href="/">Home</a></li><li><span>Configuration</span></li></ul></nav><div class="theme-doc-markdown markdown"><header><h1>Configuration</h1></header><p>All settings are read from one file in the folder in which you start the program, and nothing is read from anywhere else.</p><h2 id="file">The file<a class="hash-link" href="#file">​</a></h2><p>Write one setting to a line, its name first, then a sign of equality and the value:</p><div class="language-ini codeBlockContainer"><pre class="prism-code"><code><span class="token-line">speed = 12</span><br><span class="token-line">engine = "old"</span></code></pre><div class="buttonGroup"><button>Copy</button></div></div><div class="theme-admonition alert alert--info"><div class="admonitionHeading">note</div><div class="admonitionContent"><p>Names are written in lower case, and unknown ones are refused.</p></div></div></div><footer class="theme-doc-footer"><a href="https://github.com/x/edit">Edit this page</a></footer></article><nav class="pagination-nav"><a href="/docs/install"><div class="pagination-nav__sublabel">Previous</div><div class="pagination-nav__label">Installation</div></a></nav></main><div class="tableOfContents"><ul class="table-of-contents"><li><a href="#file">The file</a></li></ul></div></div><footer class="footer"><div>Copyright © 2024 Pumpkit. Built with Docusaurus.</div></footer></div></body></html>""",
    want=(
        "All settings are read from one file",
        "Write one setting",
        "speed = 12",
        "Names are written in lower",
    ),
    unwanted=("Edit this page", "Built with", "Introduction"),
    title="Configuration",
)

add(
    "sphinx",
    """<!DOCTYPE html><html><head><title>Pumps &#8212; pumpkit 1.2 documentation</title></head><body><div class="related" role="navigation"><h3>Navigation</h3><ul><li class="right"><a href="genindex.html">index</a></li><li><a href="index.html">pumpkit 1.2 documentation</a> &#187;</li></ul></div><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="pumps"><h1>Pumps<a class="headerlink" href="#pumps">¶</a></h1><p>A pump moves water from where it is to where it is not wanted any less, and this module describes it.</p><dl class="py function"><dt class="sig sig-object py" id="pump.start"><span class="sig-prename descclassname">pump.</span><span class="sig-name descname">start</span><span class="sig-paren">(</span><em class="sig-param">speed</em><span class="sig-paren">)</span><a class="headerlink" href="#pump.start">¶</a></dt><dd><p>Start the pump at the given speed, in turns per minute, and return at once.</p><dl class="field-list"><dt>Parameters</dt><dd><p><strong>speed</strong> – how fast it turns, at most 3000.</p></dd></dl></dd></dl></section></div></div></div><div class="sphinxsidebar" role="navigation"><div class="sphinxsidebarwrapper"><h3><a href="index.html">Table of Contents</a></h3><ul><li><a href="#">Pumps</a></li></ul><h4>Previous topic</h4><p><a href="install.html">Installation</a></p><h3>This Page</h3><ul><li><a href="_sources/pumps.txt">Show Source</a></li></ul></div></div></div><div class="footer">&copy; Copyright 2021, Pumpkit. Created using <a href="https://sphinx-doc.org/">Sphinx</a> 4.0.</div></body></html>""",
    want=("A pump moves water", "Start the pump at", "how fast it turns"),
    unwanted=("Show Source", "Created using", "Table of Contents"),
    title="Pumps",
)

PUMP = "A quiet pump for boats of up to nine metres that moves forty litres a minute and switches itself off as soon as the bilge is dry."
BRONZE = "The housing is cast from bronze, the impeller can be changed without tools, and every pump has run for an hour on our bench before it leaves the house."
add(
    "shopify",
    f"""<!doctype html><html><head><title>Bronze bilge pump – Quay Store</title><link rel="canonical" href="https://quay.example/products/bronze-bilge-pump"><meta property="og:type" content="product"><script type="application/ld+json">{{"@context":"http://schema.org/","@type":"Product","name":"Bronze bilge pump","description":"{PUMP}","offers":[{{"@type":"Offer","price":129.0}}]}}</script></head><body class="template-product"><div id="shopify-section-announcement-bar"><p>Free shipping on orders over 50</p></div><header class="header"><nav><ul><li><a href="/collections/pumps">Pumps</a></li><li><a href="/collections/ropes">Ropes</a></li></ul></nav><a href="/cart">Cart (0)</a></header><main id="MainContent"><section class="product"><div class="product__media"><img alt="Bronze bilge pump"></div><div class="product__info"><h1 class="product__title">Bronze bilge pump</h1><div class="price"><span>Regular price</span> <span>$129.00</span></div><label>Quantity</label><button>Add to cart</button><div class="product__description rte"><p>{PUMP}</p><p>{BRONZE}</p><ul><li>Weight: 2.4 kg</li><li>Voltage: 12 V</li></ul></div><details class="accordion"><summary>Shipping and returns</summary><div class="accordion__content rte"><p>We send parcels every working day before noon. You can return what you do not like within thirty days.</p></div></details></div></section><section class="product-recommendations"><h2>You may also like</h2><ul><li><a href="/products/a">Rope, 10 m</a> <span>$19.00</span></li><li><a href="/products/b">Anchor, small</a> <span>$49.00</span></li></ul></section></main><footer><p>Subscribe to our emails</p><p>© 2024, Quay Store</p></footer></body></html>""",
    want=(PUMP, BRONZE, "Voltage: 12 V"),
    unwanted=("You may also", "Subscribe to our", "Free shipping", "Anchor, small"),
    title="Bronze bilge pump",
)

add(
    "medium",
    f"""<!doctype html><html lang="en"><head><title>Ferry late again. On waiting | by Mira Joshi | Quay Stories | Medium</title><meta property="article:published_time" content="2021-03-02T10:00:00.000Z"><meta property="og:type" content="article"><meta property="og:title" content="Ferry late again"><meta name="author" content="Mira Joshi"></head><body><div id="root"><div class="a b c"><div class="d e f"><a href="/signin">Sign in</a><a href="/">Get started</a></div><div class="l"><article><div class="l"><section><div><div class="hq"><h1 id="x" class="pw-post-title hr">Ferry late again</h1></div><div class="speechify-ignore ab cp"><div class="ab q"><a href="/@mira">Mira Joshi</a><span>·</span><button>Follow</button></div><div><span>4 min read</span><span>·</span><span>Mar 2, 2021</span></div></div><div class="ab co"><div><p>--</p></div><button>Listen</button><button>Share</button></div><figure><img><figcaption>The quay on Tuesday</figcaption></figure><p id="1" class="pw-post-body-paragraph">{LATE}</p><p id="2" class="pw-post-body-paragraph">{PROMISED}</p><h1 id="33" class="mi mj">The old engine</h1><p id="3" class="pw-post-body-paragraph">{STILL_OLD}</p></div></section></div></article></div><div class="bv"><div><a href="/tag/boats">Boats</a><a href="/tag/waiting">Waiting</a></div></div><div class="m"><h2>Written by Mira Joshi</h2><span>1.2K Followers</span><p>I write about boats and those who wait for them.</p></div><div><h2>More from Mira Joshi and Quay Stories</h2><article><h2>New market opens</h2><h3>It smells of fish and fresh bread, and people came from far away.</h3><span>May 3</span></article><article><h2>Bread is dear</h2><h3>What the baker told me when I asked him why it costs so much now.</h3></article></div><footer><a href="/help">Help</a><a href="/status">Status</a><a href="/about">About</a></footer></div></div></body></html>""",
    want=(LATE, PROMISED, "The old engine", STILL_OLD),
    unwanted=("More from", "fresh bread", "Followers", "Get started"),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
)

add(
    "substack",
    f"""<!DOCTYPE html><html lang="en"><head><title>Ferry late again - by Mira Joshi - Quay Letters</title><link rel="canonical" href="https://quay.substack.example/p/ferry-late-again"><script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle","headline":"Ferry late again","datePublished":"2021-03-02T10:00:00+00:00","author":[{{"@type":"Person","name":"Mira Joshi"}}]}}</script></head><body><div id="entry"><div id="main" class="main typography"><div class="topbar"><h1><a href="/">Quay Letters</a></h1><button>Subscribe</button><button>Sign in</button></div><div class="single-post-container"><div class="container"><div class="single-post"><article class="newsletter-post post"><div class="post-header"><h1 class="post-title published">Ferry late again</h1><h3 class="subtitle">On waiting, and who is good at it</h3><div class="byline-wrapper"><div><a href="/@mira">Mira Joshi</a></div><div>Mar 02, 2021</div></div><div class="post-ufi"><a>12</a><a>3</a><a>Share</a></div></div><div class="available-content"><div class="body markup"><p>{LATE}</p><p>{PROMISED}</p><div class="subscription-widget-wrap"><div class="subscription-widget"><div class="preamble"><p class="cta-caption">Quay Letters is a reader-supported publication. To receive new posts and support my work, consider becoming a free or paid subscriber.</p></div><button>Subscribe</button></div></div><p>{STILL_OLD}</p></div></div></article></div></div><div class="post-footer"><h4>Subscribe to Quay Letters</h4><p>By Mira Joshi · Launched 2 years ago</p><p>A letter about boats, every week.</p></div><div class="comments"><h4>3 Comments</h4><div class="comment"><div class="comment-meta">Sam Mar 3, 2021</div><div class="comment-body"><p>{WAITED}</p></div></div></div></div></div><div class="footer"><p>© 2021 Mira Joshi</p><a>Privacy</a> ∙ <a>Terms</a></div></div></div></body></html>""",
    unwanted=(WAITED, "reader-supported", "Launched"),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
    comments=(WAITED,),
)

add(
    "amp",
    f"""<!doctype html><html amp lang="en"><head><title>Ferry late again - Harbour News</title><link rel="canonical" href="https://h.example/news/ferry"></head><body><amp-sidebar id="sidebar" layout="nodisplay"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></amp-sidebar><header><a href="/">Harbour News</a></header><article><h1>Ferry late again</h1><p class="byline">By Mira Joshi | March 2, 2021</p><amp-img src="a.jpg" width=3 height=2></amp-img>{TEXT}</article><amp-consent id="c"><div id="ui">We use cookies to give you the best experience on our pages. <button>Accept</button></div></amp-consent><amp-list src="/r"><template type="amp-mustache"><a href="{{{{url}}}}">{{{{title}}}}</a></template></amp-list><footer>© Harbour News</footer></body></html>""",
    unwanted=("We use cookies", "{{title"),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
)

add(
    "print",
    f"""<html><head><title>Harbour News: Ferry late again (print version)</title></head><body onload="window.print()"><img src=logo.gif><hr><b>Ferry late again</b><br><i>By Mira Joshi, 2 March 2021</i><br><br>{LATE}<br><br>{PROMISED}<br><br>{STILL_OLD}<hr><font size=1>Printed from http://h.example/ferry</font></body></html>""",
    unwanted=(),
    author="Mira Joshi",
    date="2021-03-02",
)

add(
    "oldtable",
    f"""<HTML><HEAD><TITLE>Ferry late again</TITLE></HEAD><BODY><TABLE><TR><TD colspan=2><IMG src=banner.gif></TD></TR><TR><TD valign=top bgcolor="#ccc"><A href=a.htm>Home</A><BR><A href=b.htm>News</A><BR><A href=c.htm>Guest book</A><BR><B>Weather</B><BR>Sunny, 21 degrees<BR></TD><TD valign=top><FONT size=+2>Ferry late again</FONT><P>{LATE}<P>{PROMISED}<P>{STILL_OLD}<P><A href=x.htm>Next</A></TD></TR></TABLE><CENTER>You are visitor 12345. Best viewed with Netscape 4.</CENTER></BODY></HTML>""",
    unwanted=("visitor 12345", "Guest book"),
    title="Ferry late again",
)

add(
    "frameset",
    f"""<html><head><title>Harbour pages</title></head><frameset cols="20%,80%"><frame src="menu.htm"><frame src="main.htm"><noframes><body>{TEXT}</body></noframes></frameset></html>""",
    title="Harbour pages",
)
add(
    "shadow",
    f"""<!doctype html><html><head><title>Ferry late again</title></head><body><site-header><template shadowrootmode="open"><nav><a href=/>Home</a><a href=/n>News</a></nav></template></site-header><article-view><template shadowrootmode="open"><style>p{{}}</style><h1>Ferry late again</h1>{TEXT}</template></article-view></body></html>""",
    title="Ferry late again",
)
add(
    "nextdata",
    f"""<!doctype html><html><head><title>Ferry late again</title></head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{"article":{{"headline":"Ferry late again","author":{{"name":"Mira Joshi"}},"body":[{{"type":"p","text":"{LATE}"}},{{"type":"p","text":"{PROMISED}"}},{{"type":"p","text":"{STILL_OLD}"}}]}}}}}}}}</script></body></html>""",
    title="Ferry late again",
)
add(
    "stackexchange",
    f"""<!DOCTYPE html><html itemscope itemtype="https://schema.org/QAPage"><head><title>engine - How do I replace the pump? - Boats Stack Exchange</title><link rel="canonical" href="https://boats.stackexchange.example/questions/12/how"></head><body class="question-page"><header class="s-topbar"><a href="/">Boats</a><ol><li><a href="/login">Log in</a></li></ol></header><div class="container"><div id="left-sidebar"><ol class="nav-links"><li><a href="/q">Questions</a></li><li><a href="/tags">Tags</a></li></ol></div><div id="content"><div id="question-header"><h1><a href="/questions/12">How do I replace the pump?</a></h1><a href="/ask">Ask Question</a></div><div><div>Asked 3 years ago</div><div>Modified 2 years ago</div><div>Viewed 3k times</div></div><div id="mainbar"><div class="question" id="question"><div class="votecell"><div>7</div></div><div class="postcell"><div class="s-prose js-post-body" itemprop="text"><p>{ASKED}</p></div><div class="post-taglist"><a href="/t/engine">engine</a><a href="/t/pump">pump</a></div><div class="post-signature"><div>asked <span title="2021-03-02 10:00:00Z">Mar 2, 2021 at 10:00</span></div><div class="user-details"><a href="/u/1">mira</a><span class="reputation-score">121</span></div></div></div></div><div id="answers"><h2>2 Answers</h2><div class="answer accepted-answer"><div class="answercell"><div class="s-prose js-post-body" itemprop="text"><p>{ANSWERED}</p><pre><code>loosen(bracket)</code></pre></div><div class="post-signature">answered Mar 3, 2021 <a href="/u/2">sam</a></div></div><div class="comments"><ul class="comments-list"><li class="comment"><span class="comment-copy">Did you need a special key for that?</span> – <a class="comment-user">lea</a> <span class="comment-date">Mar 3, 2021</span></li></ul></div></div><div class="answer"><div class="answercell"><div class="s-prose js-post-body" itemprop="text"><p>{ADVISED}</p></div></div></div></div><div id="post-form"><h2>Your Answer</h2><p>By clicking “Post Your Answer”, you agree to our terms of service.</p></div></div><div id="sidebar"><div class="module"><h4>Related</h4><div><a href="/q/3">What oil should I use for a two stroke engine?</a></div><div><a href="/q/4">Why does my anchor drag in light wind?</a></div></div></div></div></div><footer>Site design / logo © 2024</footer></body></html>""",
    want=(ASKED, ANSWERED, ADVISED),
    unwanted=("What oil should", "By clicking", "Site design"),
    title="How do I replace the pump?",
    date="2021-03-02",
)
add(
    "recipe",
    """<!doctype html><html><head><title>Fish soup from the quay - Galley</title><script type="application/ld+json">{"@type":"Recipe","name":"Fish soup","author":{"@type":"Person","name":"Mira Joshi"},"datePublished":"2021-03-02"}</script></head><body><nav><a href=/>Home</a><a href=/r>Recipes</a></nav><main><h1>Fish soup from the quay</h1><p>This soup needs an hour, a large pot and the heads of three fishes that were caught the same morning.</p><div class="wprm-recipe-container"><h3>Ingredients</h3><ul class="wprm-recipe-ingredients"><li>3 fish heads</li><li>2 onions, cut small</li><li>1 l water</li></ul><h3>Instructions</h3><ol class="wprm-recipe-instructions"><li>Put the heads and the onions into cold water.</li><li>Let it boil slowly for an hour, then take out the bones.</li></ol></div></main><aside><h4>Popular recipes</h4><ul><li><a href=/1>Bread without an oven</a></li><li><a href=/2>Stew for ten people</a></li></ul></aside></body></html>""",
    want=("needs an hour", "3 fish heads", "cut small", "into cold water", "take out the bones"),
    unwanted=("Bread without",),
    title="Fish soup from the quay",
    author="Mira Joshi",
    date="2021-03-02",
)
add(
    "accordion-faq",
    """<!doctype html><html><head><title>Questions about the ferry | Harbour Office</title></head><body><header><nav><a href=/>Home</a><a href=/t>Timetable</a><a href=/c>Contact</a></nav></header><main><h1>Frequently asked questions</h1><div class="accordion"><h3><button aria-expanded="false">When does the last ferry leave?</button></h3><div class="panel" hidden><p>The last ferry leaves the island at ten in the evening, on Sundays an hour earlier.</p></div><h3><button aria-expanded="false">May I bring my dog?</button></h3><div class="panel" aria-hidden="true" style="display:none"><p>Dogs travel free of charge as long as they stay on deck and on a lead.</p></div><h3><button>What does a ticket cost?</button></h3><div class="panel collapse"><p>Adults pay four pounds, children under twelve pay half of that.</p></div></div></main><div class="cookie-banner" role="dialog"><p>We use cookies to improve your experience. By using this site you accept them.</p><button>OK</button></div><footer><p>Harbour Office, Quay Street 1</p></footer></body></html>""",
    want=("The last ferry leaves the island", "Dogs travel free", "Adults pay four pounds"),
    unwanted=("We use cookies",),
)
add(
    "tabs-product",
    f"""<!doctype html><html><head><title>Bilge pump 12 V | Marine Parts</title></head><body><header><a href=/>Marine Parts</a><ul class=menu><li><a href=/p>Pumps</a></li><li><a href=/r>Ropes</a></li></ul></header><div class="breadcrumb"><a href=/>Home</a> / <a href=/p>Pumps</a> / Bilge pump 12 V</div><div class="product-page"><h1>Bilge pump 12 V</h1><div class="price">€ 129,00</div><div class="stock">In stock</div><button>Add to basket</button><div class="tabs"><ul class="tab-nav"><li><a href="#d">Description</a></li><li><a href="#s">Specifications</a></li><li><a href="#r">Reviews (2)</a></li></ul><div id="d" class="tab-pane active"><p>{PUMP}</p><p>{BRONZE}</p></div><div id="s" class="tab-pane"><table><tr><th>Weight</th><td>2.4 kg</td></tr><tr><th>Voltage</th><td>12 V</td></tr><tr><th>Material</th><td>Bronze, steel</td></tr></table></div><div id="r" class="tab-pane"><div class="review"><b>Sam</b><p>Does what it should, and it is much quieter than the old one.</p></div></div></div></div><div class="related"><h3>Related products</h3><div class="item"><a href=/1>Rope, 10 m</a> € 19,00</div><div class="item"><a href=/2>Anchor, small</a> € 49,00</div><div class="item"><a href=/3>Flag of Norway</a> € 9,00</div></div><footer>Prices include VAT. © Marine Parts</footer></body></html>""",
    want=(PUMP, BRONZE),
    unwanted=("Flag of Norway", "Prices include"),
    title="Bilge pump 12 V",
)
add(
    "paged-news-inline-related",
    f"""<!doctype html><html><head><title>Ferry late again | Harbour News</title></head><body><header><nav><a href=/>Home</a><a href=/n>News</a><a href=/s>Sport</a></nav></header><main><article><h1>Ferry late again</h1><div class="meta">Mira Joshi · 2 March 2021, 10:00</div><p>{LATE}</p><div class="inline-related"><span>READ MORE:</span> <a href=/1>New market opens in the middle of the town after years of quarrels</a></div><p>{PROMISED}</p><div class="ad">Advertisement</div><blockquote class="twitter-tweet"><p>Still no ferry. Bring a book.</p>— Sam (@sam) <a href="https://twitter.com/sam/status/1">March 2, 2021</a></blockquote><p>{STILL_OLD}</p><div class="newsletter-signup"><h4>Sign up for our morning briefing</h4><p>All the news you need to start your day, sent at six.</p></div><p class="author-bio">Mira Joshi is a reporter at Harbour News. She has written about ships for ten years.</p></article><section class="most-read"><h3>Most read</h3><ol><li><a href=/1>Bread gets more expensive this week, bakers say</a></li><li><a href=/2>The youth team wins its last match</a></li></ol></section></main><footer>© 2021 Harbour News. All rights reserved.</footer></body></html>""",
    unwanted=("READ MORE", "Advertisement", "morning briefing", "Most read", "All rights"),
    title="Ferry late again",
    author="Mira Joshi",
    date="2021-03-02",
)
add(
    "mailinglist",
    f"""<html><head><title>[boats] Replacing the pump</title></head><body><h1>[boats] Replacing the pump</h1><b>Mira Joshi</b> <a href="mailto:m">mira at example.org</a><br><i>Tue Mar  2 10:00:00 GMT 2021</i><p><ul><li>Previous message: <a href=1>[boats] Oil</a><li>Next message: <a href=2>[boats] Belts</a><li><b>Messages sorted by:</b> <a href=d>[ date ]</a> <a href=t>[ thread ]</a></ul><hr><pre>{ASKED}

&gt; You have to loosen the bracket first.

{ADVISED}
-- 
Mira
</pre><hr><ul><li>Previous message: <a href=1>[boats] Oil</a></ul></body></html>""",
    want=(ASKED, ADVISED),
    title="[boats] Replacing the pump",
    date="2021-03-02",
)
add(
    "poem",
    """<!doctype html><html><head><title>The quay by Mira Joshi | Poems</title></head><body><nav><a href=/>Home</a><a href=/p>Poems</a><a href=/a>Poets</a></nav><article><h1>The quay</h1><p class=by>By Mira Joshi</p><div class="poem"><p>Rope and salt,<br>rope and salt,<br>the morning has no other name</p><p>and the boat that left<br>is the boat that came.</p></div></article><aside><h3>Related poems</h3><ul><li><a href=/1>The gull</a></li><li><a href=/2>Ebb</a></li></ul></aside></body></html>""",
    want=("Rope and salt", "is the boat that came"),
    unwanted=("Related poems",),
    title="The quay",
    author="Mira Joshi",
)
add(
    "short-notice",
    """<!doctype html><html><head><title>Ferry cancelled - Harbour Office</title></head><body><header><nav><a href=/>Home</a><a href=/t>Timetable</a><a href=/c>Contact</a></nav></header><main><h1>Ferry cancelled</h1><p class=date>2 March 2021</p><p>No ferry leaves today because of the storm.</p></main><footer><p>Harbour Office, Quay Street 1, open Monday to Friday from nine to five</p><a href=/i>Imprint</a></footer></body></html>""",
    want=("No ferry leaves today",),
    unwanted=("Quay Street",),
    title="Ferry cancelled",
    date="2021-03-02",
)
add(
    "xenforo",
    """<!DOCTYPE html><html id="XF" data-app="public"><head><title>Replacing the pump | Boat Forum</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":"Replacing the pump","datePublished":"2021-03-02T10:00:00+00:00","author":{"@type":"Person","name":"mira"}}</script></head><body><div class="p-pageWrapper"><header class="p-header"><a href="/">Boat Forum</a></header><nav class="p-nav"><a href="/forums">Forums</a><a href="/new">What's new</a></nav><div class="p-body"><h1 class="p-title-value">Replacing the pump</h1><div class="p-description"><ul><li>Thread starter <a href="/m/1">mira</a></li><li>Start date <time datetime="2021-03-02T10:00:00+0000">Mar 2, 2021</time></li></ul></div><div class="block-container lbContainer"><div class="js-replyNewMessageContainer">"""
    + "".join(
        f"""<article class="message message--post" data-author="{u}" id="post-{i}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><h4 class="message-name"><a class="username">{u}</a></h4><h5 class="userTitle">New member</h5><dl class="pairs"><dt>Joined</dt><dd>Mar 1, 2011</dd></dl><dl class="pairs"><dt>Messages</dt><dd>{i * 7}</dd></dl></section></div><div class="message-cell message-cell--main"><header class="message-attribution"><time datetime="2021-03-0{i + 1}T10:00:00+0000">Mar {i + 1}, 2021</time><a href="#">#{i}</a></header><div class="message-content"><article class="message-body"><div class="bbWrapper">{t}</div></article></div><footer class="message-footer"><a>Reply</a></footer></div></div></article>"""
        for i, (u, t) in enumerate(
            (("mira", ASKED), ("sam", ANSWERED), ("lea", ADVISED), ("mira", WORKED)), 1
        )
    )
    + """</div></div><div class="block"><h3>Similar threads</h3><div class="structItem"><a href="/t/3">Which oil for an old two stroke engine</a> Sam · Feb 2, 2020</div></div></div><footer class="p-footer">Community platform by XenForo</footer></div></body></html>""",
    want=(ASKED, ANSWERED, ADVISED, WORKED),
    unwanted=("Similar threads", "Which oil", "New member"),
    title="Replacing the pump",
    author="mira",
    date="2021-03-02",
)
